#if os(Linux)
    import CTrunklineCurl

    /// The links, addresses and routes the kernel told about, as a value.
    struct LinuxNetwork: Sendable {
        struct Link: Hashable, Sendable {
            var name: String
            var isLoopback: Bool
            var isRunning: Bool
            var hardware: Int32
        }

        /// A family of addresses on an interface; interface 0 is any.
        struct Place: Hashable, Sendable {
            var index: Int32
            var family: Int32
        }

        var links: [Int32: Link] = [:]
        /// Where there are global addresses.
        var addresses: Set<Place> = []
        /// Where default routes lead.
        var routes: Set<Place> = []

        mutating func take(_ message: tlc_netlink_message) {
            switch Int(message.kind) {
            case TLC_NETLINK_LINK:
                links[message.index] = Link(
                    name: LinuxNetwork.text(message), isLoopback: message.is_loopback, isRunning: message.is_running,
                    hardware: message.hardware)
            case TLC_NETLINK_ADDRESS where message.is_global:
                addresses.insert(Place(index: message.index, family: message.family))
            case TLC_NETLINK_ROUTE where message.is_default:
                routes.insert(Place(index: message.index, family: message.family))
            default:
                break
            }
        }

        /// The path; see ``NetworkReachability`` for the rule.
        func path(kind: (Link) -> NetworkPath.Interface) -> NetworkPath {
            let running = links.filter { $0.value.isRunning && !$0.value.isLoopback }
            let addresses = addresses.filter { running[$0.index] != nil }
            let families = Set(addresses.map(\.family))
            var used: Set<Int32> = []
            for route in routes where families.contains(route.family) {
                if route.index == 0 {
                    used.formUnion(addresses.filter { $0.family == route.family }.map(\.index))
                } else if running[route.index] != nil {
                    used.insert(route.index)
                }
            }
            guard !used.isEmpty else { return NetworkPath(status: .unsatisfied) }
            return NetworkPath(status: .satisfied, interfaces: Set(used.compactMap { running[$0].map(kind) }))
        }

        private static func text(_ message: tlc_netlink_message) -> String {
            withUnsafeBytes(of: message.name) { name in String(decoding: name.prefix { $0 != 0 }, as: UTF8.self) }
        }
    }
#endif
