import TrunklineHTTP

/// A network path that the test sets: for sessions that wait for connectivity, and for code that watches the network.
///
///     let network = StubReachability(NetworkPath(status: .unsatisfied))
///     configuration.reachability = network
///     …
///     network.path = NetworkPath(status: .satisfied, interfaces: [.wifi])
///
/// All members may be used from any thread.
public final class StubReachability: ReachabilityProviding {
    private let current: Protected<NetworkPath>
    private let feed = Broadcast<NetworkPath>(.bufferingNewest(1))

    /// Makes a stub with this path.
    public init(_ path: NetworkPath = NetworkPath(status: .satisfied)) { current = Protected(path) }

    /// The path; setting it tells whoever listens.
    public var path: NetworkPath {
        get { current.current }
        set {
            // Sent under the lock, so that every stream has the paths in the order they were set.
            current.withLock { path in
                path = newValue
                feed.send(newValue)
            }
        }
    }

    /// The path now and whenever it is set; of what was not yet read only the newest is kept.
    public var paths: AsyncStream<NetworkPath> { current.withLock { feed.stream(from: $0) } }

    /// How many streams are being listened to.
    public var listenerCount: Int { feed.readerCount }
}
