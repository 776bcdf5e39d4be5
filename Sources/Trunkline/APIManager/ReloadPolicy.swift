/// What a manager does when a load is asked for while others are in flight.
public enum ReloadPolicy: Hashable, Sendable {
    /// Loads run side by side, each with its own callback.
    case allow
    /// The loads in flight end with `.cancelled`, then the new one starts.
    case cancelPrevious
    /// The new load is not made: the call returns nil, and there is no callback for it.
    case ignoreNew
    /// The new load starts when those before it have ended.
    case queue
    /// The new call joins the load in flight and returns its identity; the delegate hears once.
    case share
}
