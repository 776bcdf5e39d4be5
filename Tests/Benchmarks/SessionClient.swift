import TrunklineHTTP

/// The library as an app uses it: the public API with the whole pipeline.
struct SessionClient: Client {
    let session: SessionManager

    func get(_ url: URL) async throws -> Int {
        try await session.request(url).response().data.count
    }

    func download(_ url: URL, to file: URL) async throws {
        _ = try await session.request(HTTPRequest(url: url, options: RequestOptions(delivery: .file(file)))).response()
    }

    func upload(_ file: URL, to url: URL) async throws {
        _ = try await session.request(HTTPRequest(method: .put, url: url, body: try .file(file))).response()
    }
}
