import Foundation

/// Watches the device's way to the network.
///
///     for await path in NetworkReachability.shared.paths {
///         banner.isHidden = path.status != .unsatisfied
///     }
///
/// It tells and never gates: no request of the library waits for it or fails because of it, unless
/// ``SessionConfiguration/connectivity`` says so. "Satisfied" means that packets can leave the device, not that a host
/// answers; only a request shows that.
///
/// - On Apple platforms it is what the Network framework's path monitor says.
/// - On Linux it is read from the kernel (netlink). The path is satisfied when there is a unicast default route, of IPv4 or
///   IPv6, through an interface that is up and running and is not the loopback one, and such an interface has an address
///   of the same family that is neither loopback nor link-local and, for IPv6, was found to be no duplicate. Its
///   interfaces are those of such routes: wireless as the kernel says, cellular where the driver says so, other Ethernet
///   (in a container too) wired, the rest other. Where the kernel can't be asked the status is unknown. A host that
///   reaches its peers without a default route counts as unsatisfied.
///
/// Nothing runs before the first observer comes, and everything stops with the last one. Observers keep what they need
/// alive, so that the object itself need not be kept. All members may be used from any thread.
public final class NetworkReachability: ReachabilityProviding {
    /// The process-wide one.
    public static let shared = NetworkReachability()

    /// Posted when the path changes, on a queue of the library, while ``startNotifying()`` is in force; the object is
    /// the ``NetworkReachability`` and ``pathKey`` in the user information is the new ``NetworkPath``.
    public static let didChangeNotification = Notification.Name("TrunklineNetworkReachabilityDidChange")

    /// The key of the ``NetworkPath`` in the notification's user information.
    public static let pathKey = "path"

    private let core: ReachabilityCore
    private let notifying = Protected<ReachabilityObservation?>(nil)
    /// Where only a running monitor knows the path, asking for it makes one run.
    private let asking = Protected<ReachabilityObservation?>(nil)

    /// Makes one of its own.
    public convenience init() { self.init(monitor: PlatformPathMonitor.make()) }

    init(monitor: any PathMonitor) { core = ReachabilityCore(monitor: monitor) }

    /// The path as it is now.
    ///
    /// On Linux the kernel is asked, which takes a fraction of a millisecond. On Apple platforms it is what was heard
    /// last; asking begins to listen, and until the system has answered for the first time the status is unknown.
    public var path: NetworkPath {
        if let path = core.snapshot() { return path }
        asking.withLock { if $0 == nil { $0 = observation { _ in } } }
        return core.last ?? .unknown
    }

    /// The path now and whenever it changes. Every caller has a stream of its own; of what was not yet read only the
    /// newest path is kept. It ends when it is dropped or its task cancelled.
    public var paths: AsyncStream<NetworkPath> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: NetworkPath.self, bufferingPolicy: .bufferingNewest(1))
        let observation = observation { continuation.yield($0) }
        continuation.onTermination = { _ in observation.cancel() }
        return stream
    }

    /// Calls `handler` with the path now and whenever it changes, in order.
    ///
    /// - Parameters:
    ///   - queue: where the handler runs; by default the main queue.
    ///   - handler: hears the path.
    /// - Returns: what has to be kept for as long as the handler is to be called. After a cancel on `queue` it is not
    ///   called any more.
    public func observe(
        on queue: DispatchQueue = .main, _ handler: @escaping @Sendable (NetworkPath) -> Void
    ) -> ReachabilityObservation {
        let isOver = Protected(false)
        let id = core.add { path in
            queue.async {
                if !isOver.current { handler(path) }
            }
        }
        return ReachabilityObservation { [core] in
            isOver.withLock { $0 = true }
            core.remove(id)
        }
    }

    /// Begins to post ``didChangeNotification``; counts as an observer until ``stopNotifying()`` or the object's end.
    public func startNotifying() {
        notifying.withLock { notifying in
            guard notifying == nil else { return }
            let last = Protected<NetworkPath?>(nil)
            notifying = observation { [weak self] path in
                let isChange = last.withLock { last in
                    defer { last = path }
                    return last != nil
                }
                // The first path is no change.
                guard isChange, let self else { return }
                NotificationCenter.default.post(
                    name: NetworkReachability.didChangeNotification, object: self,
                    userInfo: [NetworkReachability.pathKey: path])
            }
        }
    }

    /// Ends ``startNotifying()``.
    public func stopNotifying() {
        let ended = notifying.withLock { notifying in
            defer { notifying = nil }
            return notifying
        }
        ended?.cancel()
    }

    /// Whether anything is observed, and the system therefore listened to.
    var isRunning: Bool { core.isRunning }

    /// An observer that is called on the queue of the monitor.
    private func observation(_ handler: @escaping @Sendable (NetworkPath) -> Void) -> ReachabilityObservation {
        let id = core.add(handler)
        return ReachabilityObservation { [core] in core.remove(id) }
    }
}
