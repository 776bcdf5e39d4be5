/// What a transport measured of one exchange. A figure the transport can't measure is nil.
public struct TransportMetrics: Hashable, Sendable {
    /// From the start to the resolved name.
    public var nameLookup: Duration?
    /// From the start to the TCP connection.
    public var connect: Duration?
    /// From the start to the end of the TLS handshake.
    public var secureConnect: Duration?
    /// From the start to the first byte of the response.
    public var firstByte: Duration?
    /// From the start to the last byte of the response.
    public var total: Duration?
    /// Bytes of content sent.
    public var bytesSent: Int64?
    /// Bytes of content received, before decompression.
    public var bytesReceived: Int64?
    /// The protocol spoken: `http/1.0`, `http/1.1`, `h2`, `h3`.
    public var networkProtocol: String?
    /// Whether an open connection was used again.
    public var isReusedConnection: Bool?
    /// The server's address and port.
    public var remoteAddress: String?

    /// How many redirects were followed before this response; the figures above are those of the last hop.
    public var redirectCount = 0
    /// How many attempts failed before this response.
    public var retryCount = 0

    /// Makes metrics with nothing measured yet.
    public init() {}
}
