import Trunkline
import TrunklineTesting

/// The sample's own backend, on 127.0.0.1 and a free port, so that the sample needs no internet. Not a part of the
/// app: an app has a real one.
struct DashboardServer {
    private let server: LoopbackServer
    /// Holds every answer back where the sample says so.
    private let gate = LoopbackGate()

    var baseURL: String { server.baseURL.absoluteString }

    init() throws {
        gate.open()
        server = try LoopbackServer { [gate] server in
            Self.addFrontPage(to: server, gate: gate)
            Self.addShop(to: server, gate: gate)
        }
    }

    func stop() { server.stop() }

    /// Answers nothing from now on, and forgets what was asked for before.
    func holdAnswers() {
        gate.close()
        server.clearRecord()
    }

    /// The paths that were asked for, in alphabetical order.
    var paths: [String] { server.requests.map(\.path).sorted() }

    /// Waits until each of the paths was asked for.
    func waitForRequests(_ paths: [String]) async {
        for path in paths { _ = await server.waitForRequests(1, path: path) }
    }

    /// How many connections the client has open.
    var connections: Int { server.openConnections }

    /// Waits until the client has no more connections than these.
    func waitForConnections(atMost count: Int) async -> Bool {
        await server.waitForConnectionsClosed(downTo: count)
    }
}
