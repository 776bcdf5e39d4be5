/// Where an ``EventStream`` is.
public enum EventStreamState: Sendable {
    /// A connection is being made.
    case connecting
    /// The server has accepted; events arrive.
    case open
    /// The connection has ended, with `error` where it failed, and is made again after the wait.
    case waiting(Duration, after: HTTPError?)
    /// The stream has ended.
    case closed
}
