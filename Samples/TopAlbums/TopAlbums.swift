import Foundation
import TrunklineHTTP

/// A view model with an injected loader: over HTTP, over a stand-in, and where things go wrong.
@main
struct TopAlbums {
    static func main() async {
        do {
            let server = try AlbumServer.start()
            defer { server.stop() }
            let feed = server.baseURL.absoluteString + "/feed/top-albums.json"
            await show("Top albums", APIRequestLoader(apiRequest: NetworkRequestConfigure(url: feed)))
            let preview = #"{"feed": {"title": "Preview", "entries": [{"name": "Any", "artist": "Anyone"}]}}"#
            await show(
                "In a preview",
                APIRequestLoader(apiRequest: NetworkRequestConfigure(url: feed), session: CannedSession(json: preview)))
            await show(
                "Feed is gone", APIRequestLoader(apiRequest: NetworkRequestConfigure(url: feed + ".old")))
            await show("Wrong address", APIRequestLoader(apiRequest: NetworkRequestConfigure(url: "top-albums")))
        } catch {
            print("TopAlbums: \(error)")
            exit(EXIT_FAILURE)
        }
    }

    private static func show(_ heading: String, _ loader: APIRequestLoader) async {
        let model = await TopAlbumsViewModel(loader: loader)
        await model.load()
        print("\(heading): \(await model.title)")
        for line in await model.lines { print(line) }
    }
}

/// What a screen shows. It knows a loader, and nothing of sessions or servers.
@MainActor
final class TopAlbumsViewModel {
    private(set) var title = ""
    private(set) var lines: [String] = []
    private let loader: APIRequestLoader

    init(loader: APIRequestLoader) { self.loader = loader }

    func load() async {
        do throws(NetworkError) {
            let feed = try await loader.loadRequest(AlbumFeed.self).feed
            title = feed.title
            lines = feed.entries.enumerated().map { "  \($0 + 1)  \($1.name), \($1.artist)" }
        } catch {
            title = error.localizedDescription
            lines = ["  (\(error))"]
        }
    }
}

struct AlbumFeed: Codable, Sendable {
    struct Feed: Codable, Sendable {
        let title: String
        let entries: [Album]
    }
    struct Album: Codable, Sendable {
        let name: String
        let artist: String
    }
    let feed: Feed
}

/// A session for previews and tests: one answer to everything, no network.
struct CannedSession: DataSession {
    let json: String

    func getData(
        with request: HTTPRequest, completion: @escaping @Sendable (Result<HTTPResponse, HTTPError>) -> Void
    ) -> RequestHandle {
        completion(.success(HTTPResponse(request: request, statusCode: 200, body: .data(Data(json.utf8)))))
        return RequestHandle()
    }
}
