import Foundation
import SampleTerminal
import Trunkline

/// A page made of many requests: all at once, each when what it needs is there, and all given up together.
///
/// Read on in `Screen/FrontPage.swift` (a batch) and `Screen/ShopPage.swift` (a dependency graph). An endpoint is in
/// `API/OrdersAPI.swift`, what all of them share in `API/DashboardAPI.swift`.
@main
@MainActor
struct Dashboard {
    private static let help = """
        Usage: swift run Dashboard

        Loads a front page with a batch and a shop's page with a dependency graph, then
        leaves the shop before it is there. The parts come from a server that Dashboard
        runs itself, on this machine and only for as long as it needs it.
        """

    static func main() async {
        do {
            switch CommandLine.arguments.dropFirst().first {
            case nil: try await show()
            case "--help", "-h": print(help)
            case let option?: throw UsageError("there is no option \"\(option)\"")
            }
        } catch let error as UsageError {
            Terminal.complain("\(error). Try --help.")
            exit(EX_USAGE)
        } catch {
            Terminal.complain("\(error)")
            exit(EXIT_FAILURE)
        }
    }

    private static func show() async throws {
        let server = try DashboardServer()
        defer { server.stop() }
        let service = DashboardService()
        service.developmentBaseURL = server.baseURL
        service.environmentName = .development
        ServiceFactory.shared.register(.dashboard) { service }

        await FrontPage().show()
        try await ShopPage().show()
        try await showLeaving(server)
    }

    /// The reader leaves the shop while its first two requests are under way.
    private static func showLeaving(_ server: DashboardServer) async throws {
        print(Terminal.bold("The shop, left before it was there"))
        server.holdAnswers()
        let page = ShopPage()
        let run = try page.start { outcome in
            print("The completion hears, once: \(outcome.isCancelled ? "cancelled" : "done")")
        }
        await server.waitForRequests(["/v1/profile", "/v1/catalogue"])
        let connections = server.connections
        // Releasing the run does the same: a screen that goes takes its requests along.
        run.cancel()
        await page.showParts(of: run.output)
        if await server.waitForConnections(atMost: connections - 2) {
            print("Under way when it was left, and given up: \(server.paths.joined(separator: ", "))")
        }
    }
}
