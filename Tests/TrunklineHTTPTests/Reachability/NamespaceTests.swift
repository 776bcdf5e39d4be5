#if os(Linux)
    import Foundation
    import Testing
    import TestSupport

    /// Reachability for real: a network namespace in which a link is taken up and down.
    @Suite(.enabled(Namespace.skipReason) { await Namespace.isThere })
    struct NamespaceTests {
        @Test func `the path follows links, addresses and routes, and requests wait for it`() async throws {
            let tool = try #require(ChildProcess.tool("ResourceProbe"))
            let lines = try await HeavyWork.run {
                try ChildProcess.lines(Namespace.unshare, Namespace.arguments + [tool.path, "reachability"])
            }
            #expect(
                lines == [
                    "nothing: unsatisfied", "loopback up: unsatisfied", "address without a route: unsatisfied",
                    "route: satisfied wired", "carrier lost: unsatisfied", "carrier back: satisfied wired",
                    "route gone: unsatisfied", "route back: satisfied wired", "address gone: unsatisfied",
                    "IPv6: satisfied wired", "link down: unsatisfied", "unreachable route: unsatisfied",
                    "while down: 0 requests, finished: false", "when up: here",
                    "heard: unsatisfied satisfied unsatisfied satisfied unsatisfied satisfied unsatisfied satisfied "
                        + "unsatisfied satisfied",
                ])
        }
    }

    enum Namespace {
        static let skipReason: Comment = """
            No network namespace can be made here: that takes the programs unshare and ip (util-linux, iproute2), the \
            right to unshare (root, or user namespaces), and a kernel with veth.
            """
        static let unshare = URL(fileURLWithPath: "/usr/bin/unshare")
        /// A user namespace, too, so that it works without root where the system lets it.
        static let arguments = ["--user", "--map-root-user", "--net", "--"]

        static var isThere: Bool {
            get async {
                guard FileManager.default.isExecutableFile(atPath: unshare.path) else { return false }
                let trial = ["sh", "-c", "ip link set lo up && ip link add v0 type veth peer name v1"]
                return await onThread { (try? ChildProcess.run(unshare, arguments + trial))?.exitStatus == 0 }
            }
        }
    }
#endif
