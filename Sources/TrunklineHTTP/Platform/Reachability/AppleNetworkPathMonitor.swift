#if canImport(Network) && !os(Linux)
    import Foundation
    import Network

    /// The Network framework's path monitor. One that was cancelled can't be started again, so each run has its own.
    final class AppleNetworkPathMonitor: PathMonitor {
        private let monitor = Protected<SystemHandle<NWPathMonitor>?>(nil)

        func snapshot() -> NetworkPath? { nil }

        func start(on queue: DispatchQueue, _ onPath: @escaping @Sendable (NetworkPath) -> Void) {
            let new = NWPathMonitor()
            new.pathUpdateHandler = { onPath(NetworkPath($0)) }
            new.start(queue: queue)
            let handle = SystemHandle(new)
            monitor.withLock { $0 = handle }
        }

        func stop() {
            let old = monitor.withLock { monitor in
                defer { monitor = nil }
                return monitor
            }
            old?.handle.cancel()
        }
    }

    extension NetworkPath {
        fileprivate init(_ path: NWPath) {
            let status: Status =
                switch path.status {
                case .satisfied: .satisfied
                case .unsatisfied: .unsatisfied
                case .requiresConnection: .requiresConnection
                @unknown default: .unknown
                }
            let kinds: [(NWInterface.InterfaceType, Interface)] = [
                (.wifi, .wifi), (.wiredEthernet, .wired), (.cellular, .cellular), (.loopback, .loopback),
                (.other, .other),
            ]
            self.init(
                status: status, interfaces: Set(kinds.filter { path.usesInterfaceType($0.0) }.map(\.1)),
                isExpensive: path.isExpensive, isConstrained: path.isConstrained)
        }
    }
#endif
