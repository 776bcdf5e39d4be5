import Foundation

/// What follows the head of a ``LoopbackResponse``.
public enum LoopbackBody: Sendable {
    /// Nothing, with `Content-Length: 0` where a length is allowed.
    case none
    /// The bytes, with `Content-Length`.
    case data(Data)
    /// The chunks as chunked transfer coding (RFC 9112, section 7.1), one chunk each; empty ones are left out. With an
    /// interval, the server waits that long before every chunk but the first. A client of HTTP/1.0 gets the bytes
    /// unframed, ended by the close of the connection.
    case chunked([Data], trailers: HTTPHeaders = [:], every: Duration? = nil)
    /// So many bytes of a pattern, with `Content-Length`, never held in memory.
    case generated(LoopbackPattern, count: Int64)
    /// The bytes without a length, ended by the close of the connection.
    case untilClose(Data)
    /// No length; what follows the head is the handler's, both ways; see ``LoopbackPipe``.
    case pipe(@Sendable (LoopbackPipe) async throws -> Void)
    /// The whole answer, head included, as a script: status, headers and reason of the response are not sent.
    case raw([ScriptStep])
}
