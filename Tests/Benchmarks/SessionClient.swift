import TrunklineHTTP

/// The library through its public door: a session with its whole pipeline, over one transport.
struct SessionClient: Client {
    let session: SessionManager

    func get(_ url: URL) async throws -> Int {
        try await session.request(url).response().data.count
    }

    func download(_ url: URL, to file: URL) async throws {
        var options = RequestOptions()
        options.delivery = .file(file)
        _ = try await session.request(HTTPRequest(url: url, options: options)).response()
    }

    func upload(_ file: URL, to url: URL) async throws {
        _ = try await session.request(HTTPRequest(method: .put, url: url, body: try .file(file))).response()
    }
}

/// A transport alone: what the pipeline costs is the difference to ``SessionClient``.
struct TransportClient: Client {
    let transport: any Transport

    func get(_ url: URL) async throws -> Int {
        let response = try await transport.send(Exchange(request: HTTPRequest(url: url)))
        guard response.statusCode == 200 else { throw BenchmarkFailure(description: "status \(response.statusCode)") }
        return response.data.count
    }

    func download(_ url: URL, to file: URL) async throws {
        var options = RequestOptions()
        options.delivery = .file(file)
        _ = try await transport.send(Exchange(request: HTTPRequest(url: url, options: options)))
    }

    func upload(_ file: URL, to url: URL) async throws {
        _ = try await transport.send(Exchange(request: HTTPRequest(method: .put, url: url, body: try .file(file))))
    }
}
