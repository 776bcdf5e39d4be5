#if os(Linux)
    import CTrunklineCurl
    import Foundation
    import Testing
    import TrunklineTesting

    @testable import TrunklineHTTP

    @Suite struct LinuxNetworkTests {
        private typealias Place = LinuxNetwork.Place

        private func network(
            running: Bool = true, loopback: Bool = false, addresses: [Place], routes: [Place]
        ) -> LinuxNetwork {
            var network = LinuxNetwork()
            network.links[1] = LinuxNetwork.Link(name: "lo", isLoopback: true, isRunning: true, hardware: 772)
            network.links[2] = LinuxNetwork.Link(
                name: "eth0", isLoopback: loopback, isRunning: running, hardware: 1)
            network.links[3] = LinuxNetwork.Link(name: "tun0", isLoopback: false, isRunning: true, hardware: 65534)
            network.addresses = Set(addresses)
            network.routes = Set(routes)
            return network
        }

        private func path(_ network: LinuxNetwork) -> NetworkPath {
            network.path { $0.name == "tun0" ? .other : .wired }
        }

        private func place(_ index: Int32, _ family: Int32 = 4) -> Place { Place(index: index, family: family) }

        @Test func `a default route through a running link and an address of its family`() {
            let wired = NetworkPath(status: .satisfied, interfaces: [.wired])
            #expect(path(network(addresses: [place(2)], routes: [place(2)])) == wired)
            #expect(path(network(addresses: [place(2, 6)], routes: [place(2, 6), place(1)])) == wired)
            // A route that names no link may use those with an address.
            #expect(path(network(addresses: [place(2)], routes: [place(0)])) == wired)
            // An unnumbered link, as of PPP: the address is another's.
            #expect(
                path(network(addresses: [place(2)], routes: [place(3)]))
                    == NetworkPath(status: .satisfied, interfaces: [.other]))
            #expect(
                path(network(addresses: [place(2), place(3)], routes: [place(2), place(3)])).interfaces
                    == [.wired, .other])
        }

        @Test func `what does not suffice`() {
            let down = NetworkPath(status: .unsatisfied)
            #expect(path(LinuxNetwork()) == down)
            #expect(path(network(addresses: [place(2)], routes: [])) == down)
            #expect(path(network(addresses: [], routes: [place(2)])) == down)
            #expect(path(network(addresses: [place(2, 6)], routes: [place(2, 4)])) == down)
            #expect(path(network(addresses: [place(1)], routes: [place(1)])) == down)
            #expect(path(network(running: false, addresses: [place(2)], routes: [place(2)])) == down)
            #expect(path(network(loopback: true, addresses: [place(2)], routes: [place(2)])) == down)
            #expect(path(network(addresses: [place(9)], routes: [place(9)])) == down)
            #expect(path(network(addresses: [place(9)], routes: [place(0)])) == down)
        }

        @Test func `what kind of link it is, from the device tree`() throws {
            let root = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            defer { try? FileManager.default.removeItem(at: root) }
            func make(_ name: String, _ uevent: String, directory: String? = nil) throws {
                let device = root.appendingPathComponent(name)
                try FileManager.default.createDirectory(at: device, withIntermediateDirectories: true)
                try Data(uevent.utf8).write(to: device.appendingPathComponent("uevent"))
                guard let directory else { return }
                try FileManager.default.createDirectory(
                    at: device.appendingPathComponent(directory), withIntermediateDirectories: true)
            }
            try make("wlan0", "DEVTYPE=wlan\nINTERFACE=wlan0\nIFINDEX=3\n")
            try make("wl1", "INTERFACE=wl1\n", directory: "wireless")
            try make("wl2", "INTERFACE=wl2\n", directory: "phy80211")
            try make("wwan0", "DEVTYPE=wwan\nINTERFACE=wwan0\n")
            try make("eth0", "INTERFACE=eth0\nIFINDEX=4\n")
            let kinds: [(String, Int32, NetworkPath.Interface)] = [
                ("wlan0", 1, .wifi), ("wl1", 1, .wifi), ("wl2", 1, .wifi), ("wwan0", 519, .cellular),
                ("eth0", 1, .wired), ("eth7", 1, .wired), ("tun0", 65534, .other), ("ppp0", 512, .other),
                ("", 1, .other), ("..", 1, .other), ("../../etc", 1, .other),
            ]
            for (name, hardware, kind) in kinds {
                let link = LinuxNetwork.Link(name: name, isLoopback: false, isRunning: true, hardware: hardware)
                #expect(NetworkPath.Interface(link, root: root.path) == kind, "\(name)")
            }
            let loopback = LinuxNetwork.Link(name: "lo", isLoopback: true, isRunning: true, hardware: 772)
            #expect(NetworkPath.Interface(loopback) == .loopback)
        }

        @Test func `the kernel of this machine answers`() {
            #expect(NetworkReachability().path.status != .unknown)
        }
    }
#endif
