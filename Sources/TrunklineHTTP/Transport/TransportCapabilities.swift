/// What a transport is and can do on this machine.
public struct TransportCapabilities: Hashable, Sendable {
    /// The features that differ between transports.
    public struct Features: OptionSet, Hashable, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Applies ``Timeouts/connect``.
        public static let connectTimeout = Features(rawValue: 1 << 0)
        /// Speaks HTTP/2.
        public static let http2 = Features(rawValue: 1 << 1)
        /// Slows the server down when the consumer of a stream is slow.
        public static let backpressure = Features(rawValue: 1 << 2)
        /// Reports ``TransportMetrics``.
        public static let metrics = Features(rawValue: 1 << 3)
        /// Keeps trailer fields.
        public static let trailers = Features(rawValue: 1 << 4)
        /// Takes a CA bundle of the app's.
        public static let customCA = Features(rawValue: 1 << 5)
        /// Checks public-key pins.
        public static let publicKeyPinning = Features(rawValue: 1 << 6)
        /// Sends client certificates.
        public static let clientCertificates = Features(rawValue: 1 << 7)
        /// Goes through proxies of the configuration.
        public static let proxies = Features(rawValue: 1 << 8)
        /// Connects to Unix-domain sockets.
        public static let unixSockets = Features(rawValue: 1 << 9)
        /// Opens WebSockets.
        public static let webSockets = Features(rawValue: 1 << 10)
        /// Holds transfers while their ``TransferGate`` is closed, in the middle of a body too. Without it a transfer that
        /// has begun goes on, and only its outcome is held.
        public static let pausing = Features(rawValue: 1 << 11)
    }

    /// The transport's name, `libcurl` or `URLSession`.
    public var name: String
    /// The version of the engine behind it, where there is one.
    public var version: String?
    /// The TLS library, where it is known.
    public var tlsLibrary: String?
    /// The content codings it decodes, as in `Accept-Encoding`.
    public var contentEncodings: [String]
    /// The features it has.
    public var features: Features

    /// Makes a description of a transport.
    public init(
        name: String, version: String? = nil, tlsLibrary: String? = nil, contentEncodings: [String] = [],
        features: Features = []
    ) {
        self.name = name
        self.version = version
        self.tlsLibrary = tlsLibrary
        self.contentEncodings = contentEncodings
        self.features = features
    }
}
