/// A request under way, as far as its caller needs it: something that can be cancelled.
///
/// Dropping the handle cancels nothing. A stand-in for a session or client that has nothing to cancel returns
/// `RequestHandle()`.
public struct RequestHandle: Sendable {
    private let cancellation: @Sendable () -> Void

    /// Makes a handle.
    ///
    /// - Parameter cancel: ends the request; called once for each ``cancel()``, on the caller's thread.
    public init(cancel: @escaping @Sendable () -> Void = {}) { cancellation = cancel }

    /// Makes a handle of a session's request.
    public init(_ request: DataRequest) { cancellation = { request.cancel() } }

    /// Ends the request, whose completion then hears that it was cancelled; without effect on one that has delivered its
    /// outcome. May be called any number of times, from any thread.
    public func cancel() { cancellation() }
}
