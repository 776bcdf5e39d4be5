#if os(Linux)
    import CTrunklineCurl
    import Foundation

    /// Asks the Linux kernel for its links, addresses and routes, and again whenever it says that one of them changed.
    ///
    /// Changes are only the occasion: what they say is not added up. So a lost one (the kernel drops them when a reader is
    /// slow) costs nothing but the next question.
    final class NetlinkPathMonitor: PathMonitor {
        private let source = Protected<SystemHandle<any DispatchSourceRead>?>(nil)

        func snapshot() -> NetworkPath? { NetlinkPathMonitor.ask() ?? .unknown }

        func start(on queue: DispatchQueue, _ onPath: @escaping @Sendable (NetworkPath) -> Void) {
            // Subscribed first, so that no change falls between the first question and the subscription.
            let socket = tlc_netlink_open(true)
            if socket >= 0 {
                let source = DispatchSource.makeReadSource(fileDescriptor: socket, queue: queue)
                source.setEventHandler {
                    NetlinkPathMonitor.drain(socket)
                    onPath(NetlinkPathMonitor.ask() ?? .unknown)
                }
                source.setCancelHandler { close(socket) }
                source.resume()
                let handle = SystemHandle<any DispatchSourceRead>(source)
                self.source.withLock { $0 = handle }
            }
            onPath(NetlinkPathMonitor.ask() ?? .unknown)
        }

        func stop() {
            let old = source.withLock { source in
                defer { source = nil }
                return source
            }
            old?.handle.cancel()
        }

        /// Reads what there is; none of it is looked at.
        private static func drain(_ socket: Int32) {
            var buffer = [UInt8](repeating: 0, count: 8192)
            // Bounded, since the reader of a flood must get to its question too; what is left is the next occasion.
            for _ in 0..<1000 {
                guard tlc_netlink_receive(socket, &buffer, buffer.count) < 0 else { continue }
                // Lost messages are reported once, and there are more behind them.
                guard errno == ENOBUFS else { return }
            }
        }

        /// The path now; nil when the kernel doesn't answer.
        private static func ask() -> NetworkPath? {
            let socket = tlc_netlink_open(false)
            guard socket >= 0 else { return nil }
            defer { close(socket) }
            var network = LinuxNetwork()
            var buffer = [UInt8](repeating: 0, count: 64 * 1024)
            for kind in [TLC_NETLINK_LINK, TLC_NETLINK_ADDRESS, TLC_NETLINK_ROUTE] {
                guard tlc_netlink_ask(socket, Int32(kind)), read(socket, &buffer, into: &network) else { return nil }
            }
            return network.path { NetworkPath.Interface($0) }
        }

        /// Reads one answer to its end.
        private static func read(_ socket: Int32, _ buffer: inout [UInt8], into network: inout LinuxNetwork) -> Bool {
            // Far beyond every answer; a flood from elsewhere must not hold the caller.
            for _ in 0..<100_000 {
                let count = tlc_netlink_receive(socket, &buffer, buffer.count)
                guard count >= 0 else { return false }
                var offset = 0
                var message = tlc_netlink_message()
                while tlc_netlink_next(buffer, count, &offset, &message) {
                    switch Int(message.kind) {
                    case TLC_NETLINK_DONE: return true
                    case TLC_NETLINK_ERROR: return false
                    default: network.take(message)
                    }
                }
            }
            return false
        }
    }
#endif
