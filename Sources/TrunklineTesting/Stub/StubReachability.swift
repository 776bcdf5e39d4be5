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
    private struct State: Sendable {
        var path: NetworkPath
        var listeners: [Int: AsyncStream<NetworkPath>.Continuation] = [:]
        var lastID = 0
    }

    private let state: Protected<State>

    /// Makes a stub with this path.
    public init(_ path: NetworkPath = NetworkPath(status: .satisfied)) { state = Protected(State(path: path)) }

    /// The path; setting it tells whoever listens.
    public var path: NetworkPath {
        get { state.withLock { $0.path } }
        set {
            // Yielded under the lock, so that every stream has the paths in the order they were set.
            state.withLock { state in
                state.path = newValue
                for listener in state.listeners.values { listener.yield(newValue) }
            }
        }
    }

    /// The path now and whenever it is set; of what was not yet read only the newest is kept.
    public var paths: AsyncStream<NetworkPath> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: NetworkPath.self, bufferingPolicy: .bufferingNewest(1))
        let id = state.withLock { state in
            state.lastID += 1
            state.listeners[state.lastID] = continuation
            continuation.yield(state.path)
            return state.lastID
        }
        continuation.onTermination = { [weak self] _ in
            // Released outside the lock.
            _ = self?.state.withLock { $0.listeners.removeValue(forKey: id) }
        }
        return stream
    }

    /// How many streams are being listened to.
    public var listenerCount: Int { state.withLock { $0.listeners.count } }
}
