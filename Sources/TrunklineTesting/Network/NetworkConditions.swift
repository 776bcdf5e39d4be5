import TrunklineHTTP

/// How good a network is: what a ``ConditionedTransport`` puts between a session and another transport.
///
/// Without settings the network is perfect. Values out of their range are taken to its nearest end.
public struct NetworkConditions: Hashable, Sendable {
    /// The time from sending to the first byte of the answer, on top of the transport's own; none by default.
    public var latency: Duration
    /// Up to how much the latency is longer, at random and evenly; none by default.
    public var jitter: Duration
    /// The part of the exchanges whose connection is lost, 0 (the default) to 1: half of them before the request has
    /// arrived, half of them after, before the answer has.
    public var lossRate: Double
    /// Whether there is no network; `false` by default.
    public var isOffline: Bool
    /// The rate at which answers arrive, for each exchange; nil, the default, for no limit.
    public var downloadBytesPerSecond: Int?
    /// The rate at which request bodies leave, for each exchange; nil, the default, for no limit.
    public var uploadBytesPerSecond: Int?

    /// Makes conditions; what is left out is perfect.
    public init(
        latency: Duration = .zero, jitter: Duration = .zero, lossRate: Double = 0, isOffline: Bool = false,
        downloadBytesPerSecond: Int? = nil, uploadBytesPerSecond: Int? = nil
    ) {
        self.latency = latency
        self.jitter = jitter
        self.lossRate = lossRate
        self.isOffline = isOffline
        self.downloadBytesPerSecond = downloadBytesPerSecond
        self.uploadBytesPerSecond = uploadBytesPerSecond
    }

    /// Nothing in the way.
    public static let perfect = NetworkConditions()
    /// No network.
    public static let offline = NetworkConditions(isOffline: true)
    /// A good mobile network: 50 ms (and up to 20 ms), 20 Mbit/s down, 10 Mbit/s up.
    public static let mobile = NetworkConditions(
        latency: .milliseconds(50), jitter: .milliseconds(20), downloadBytesPerSecond: 2_500_000,
        uploadBytesPerSecond: 1_250_000)
    /// A bad mobile network: 400 ms (and up to 400 ms), 2 % lost, 400 kbit/s down, 100 kbit/s up.
    public static let poor = NetworkConditions(
        latency: .milliseconds(400), jitter: .milliseconds(400), lossRate: 0.02, downloadBytesPerSecond: 50_000,
        uploadBytesPerSecond: 12_500)
}
