import Trunkline
import TrunklineTesting

/// The sample's own backend, on 127.0.0.1 and a free port, so that the sample needs no internet. Not a part of the
/// app: an app has a real one.
struct BookServer {
    let favourites = FavouriteStore()

    private let server: LoopbackServer
    /// Holds answers back where the sample says so.
    private let gate = LoopbackGate()

    var baseURL: String { server.baseURL.absoluteString }

    init() throws {
        gate.open()
        server = try LoopbackServer { [favourites, gate] server in
            Self.addLists(to: server)
            Self.addCovers(to: server)
            Self.addFavourites(favourites, to: server, gate: gate)
        }
    }

    func stop() { server.stop() }

    /// What the server was asked to search for, in order.
    var searches: [String] { server.requests.filter { $0.path == "/v1/books" }.compactMap { $0.query("words") } }

    /// Makes the next lists of favourites wait, as a slow network would.
    func holdFavourites() { gate.close() }

    /// Lets those lists go.
    func releaseFavourites() { gate.open() }

    /// Starts something and returns once the server was asked for favourites.
    @MainActor func waitForFavourites(_ start: () -> Void) async {
        let path = "/v1/favourites"
        let count = server.requestCount(path: path)
        start()
        _ = await server.waitForRequests(count + 1, path: path)
    }
}
