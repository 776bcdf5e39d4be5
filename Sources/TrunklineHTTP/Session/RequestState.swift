/// Where a request is in its life. ``running`` and ``suspended`` may alternate; otherwise it only moves down this list.
public enum RequestState: Hashable, Sendable {
    /// Made, not sent yet.
    case initialized
    /// On its way.
    case running
    /// Sent, and held by its caller: nothing moves until it is resumed.
    case suspended
    /// Ended, with a response or an error. Nothing changes any more.
    case finished
}
