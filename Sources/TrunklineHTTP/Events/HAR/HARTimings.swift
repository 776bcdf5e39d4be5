/// Where the time of an exchange went, in milliseconds; -1 where a phase did not happen or was not measured.
public struct HARTimings: Hashable, Sendable, Codable {
    /// Waiting for a connection.
    public var blocked: Double
    /// Resolving the name.
    public var dns: Double
    /// Making the connection, the time of ``ssl`` included.
    public var connect: Double
    /// Sending the request.
    public var send: Double
    /// Waiting for the first byte of the answer.
    public var wait: Double
    /// Receiving the answer.
    public var receive: Double
    /// The handshake of TLS.
    public var ssl: Double

    /// Makes timings; what is left out is unknown.
    public init(
        blocked: Double = -1, dns: Double = -1, connect: Double = -1, send: Double = 0, wait: Double = 0,
        receive: Double = 0, ssl: Double = -1
    ) {
        self.blocked = blocked
        self.dns = dns
        self.connect = connect
        self.send = send
        self.wait = wait
        self.receive = receive
        self.ssl = ssl
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func time(_ key: CodingKeys, _ unknown: Double) -> Double {
            (try? values.decodeIfPresent(Double.self, forKey: key)) ?? unknown
        }
        self.init(
            blocked: time(.blocked, -1), dns: time(.dns, -1), connect: time(.connect, -1), send: time(.send, 0),
            wait: time(.wait, 0), receive: time(.receive, 0), ssl: time(.ssl, -1))
    }

    /// The sum of what is known; ``ssl`` is a part of ``connect``.
    public var total: Double { [blocked, dns, connect, send, wait, receive].filter { $0 > 0 }.reduce(0, +) }
}
