#if os(Linux)
    import Foundation
    import TestSupport
    import TrunklineHTTP
    import TrunklineTesting

    /// Takes a link up and down and prints what reachability makes of it: for a network namespace of its own, where nobody
    /// else's network is touched. A line for each step, `what: status interfaces`, then what the stream of paths brought.
    enum ReachabilityMeasurement {
        private struct Step {
            let name: String
            let isSatisfied: Bool
            /// Arguments of `ip`.
            let commands: [String]
        }

        private static let steps = [
            Step(name: "nothing", isSatisfied: false, commands: []),
            Step(name: "loopback up", isSatisfied: false, commands: ["link set lo up"]),
            Step(
                name: "address without a route", isSatisfied: false,
                commands: [
                    "link add v0 type veth peer name v1", "link set v0 up", "link set v1 up",
                    "addr add 192.0.2.1/24 dev v0",
                ]),
            Step(name: "route", isSatisfied: true, commands: ["route add default via 192.0.2.2"]),
            Step(name: "carrier lost", isSatisfied: false, commands: ["link set v1 down"]),
            Step(name: "carrier back", isSatisfied: true, commands: ["link set v1 up"]),
            Step(name: "route gone", isSatisfied: false, commands: ["route del default"]),
            Step(name: "route back", isSatisfied: true, commands: ["route add default via 192.0.2.2"]),
            Step(name: "address gone", isSatisfied: false, commands: ["addr del 192.0.2.1/24 dev v0"]),
            Step(
                name: "IPv6", isSatisfied: true,
                commands: ["addr add 2001:db8::1/64 dev v0 nodad", "-6 route add default via 2001:db8::2 dev v0"]),
            Step(name: "link down", isSatisfied: false, commands: ["link set v0 down"]),
            Step(
                name: "unreachable route", isSatisfied: false, commands: ["-6 route add unreachable default metric 1"]),
        ]

        static func run() async throws {
            let reachability = NetworkReachability()
            let heard = Collector<NetworkPath>()
            let listener = Task { for await path in reachability.paths { heard.add(path) } }
            for step in steps {
                for command in step.commands { try ip(command) }
                let arrived = await eventually {
                    heard.all.last?.isSatisfied == step.isSatisfied && reachability.path.isSatisfied == step.isSatisfied
                }
                print("\(step.name): \(text(reachability.path))\(arrived ? "" : ", and the stream says otherwise")")
            }
            try await waitsForConnectivity(reachability)
            listener.cancel()
            print("heard: " + heard.all.map(\.status.rawValue).joined(separator: " "))
        }

        /// A request that is made without a network, and answered when the link is back.
        private static func waitsForConnectivity(_ reachability: NetworkReachability) async throws {
            let server = try LoopbackServer { $0.route(.get, "/", respond: .text("here")) }
            var transport = TransportConfiguration()
            transport.hostOverrides = [HostOverride(host: "api.example", port: server.port, address: "127.0.0.1")]
            let session = SessionManager(
                configuration: SessionConfiguration(
                    connectivity: .wait(atMost: .seconds(60)), reachability: reachability),
                transport: try CurlTransport(configuration: transport))
            let request = session.request("http://api.example:\(server.port)/")
            try await Task.sleep(for: .milliseconds(200))
            print("while down: \(server.requestCount) requests, finished: \(request.isFinished)")
            for command in ["link set v0 up", "addr add 192.0.2.1/24 dev v0", "route add default via 192.0.2.2"] {
                try ip(command)
            }
            print("when up: \(try await request.string())")
        }

        private static func text(_ path: NetworkPath) -> String {
            ([path.status.rawValue] + path.interfaces.map(\.rawValue).sorted()).joined(separator: " ")
        }

        /// Not by Foundation's `Process`, whose run loop wants a socket pair that it does not get in every namespace.
        private static func ip(_ command: String) throws {
            guard let pipe = popen("PATH=$PATH:/usr/sbin:/sbin ip \(command) 2>&1", "r") else {
                throw Findings.Unexpected(description: "no process for ip \(command)")
            }
            var output: [UInt8] = []
            while true {
                let byte = fgetc(pipe)
                if byte == EOF { break }
                output.append(UInt8(truncatingIfNeeded: byte))
            }
            try Findings.require(pclose(pipe) == 0, "ip \(command): \(String(decoding: output, as: UTF8.self))")
        }
    }
#endif
