/// Where a request is in its life. It only moves down this list.
public enum RequestState: Hashable, Sendable {
    /// Made, not sent yet.
    case initialized
    /// On its way.
    case running
    /// Ended, with a response or an error. Nothing changes any more.
    case finished
}
