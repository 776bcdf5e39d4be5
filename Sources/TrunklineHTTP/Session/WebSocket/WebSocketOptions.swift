/// How a ``WebSocket`` works.
public struct WebSocketOptions: Hashable, Sendable {
    /// Pings that find out whether a silent connection is still there.
    public struct KeepAlive: Hashable, Sendable {
        /// The silence after which a ping is sent.
        public var interval: Duration
        /// How long its answer, or anything else, may take. Then the socket ends with ``HTTPError/timedOut(_:)`` `idle`.
        public var timeout: Duration

        /// Makes the setting.
        public init(interval: Duration, timeout: Duration = .seconds(10)) {
            self.interval = interval
            self.timeout = timeout
        }
    }

    /// The subprotocols to offer, the preferred one first; by default none.
    public var protocols: [String]
    /// The most bytes of a message from the server; by default 16 MB. A larger one ends the socket with 1009.
    public var maximumMessageBytes: Int
    /// Pings for a silent connection; by default none.
    public var keepAlive: KeepAlive?
    /// How long the server may take to answer a close; by default 5 s. Then the connection is dropped.
    public var closeTimeout: Duration

    /// Makes options; what is left out keeps its default.
    public init(
        protocols: [String] = [], maximumMessageBytes: Int = 16 << 20, keepAlive: KeepAlive? = nil,
        closeTimeout: Duration = .seconds(5)
    ) {
        self.protocols = protocols
        self.maximumMessageBytes = maximumMessageBytes
        self.keepAlive = keepAlive
        self.closeTimeout = closeTimeout
    }
}
