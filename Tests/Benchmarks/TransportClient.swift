import TrunklineHTTP

/// A transport without the pipeline around it.
struct TransportClient: Client {
    let transport: any Transport

    func get(_ url: URL) async throws -> Int {
        let response = try await transport.send(Exchange(request: HTTPRequest(url: url)))
        guard response.statusCode == 200 else { throw BenchmarkFailure(description: "status \(response.statusCode)") }
        return response.data.count
    }

    func download(_ url: URL, to file: URL) async throws {
        let request = HTTPRequest(url: url, options: RequestOptions(delivery: .file(file)))
        let response = try await transport.send(Exchange(request: request))
        guard response.statusCode == 200 else { throw BenchmarkFailure(description: "status \(response.statusCode)") }
    }

    func upload(_ file: URL, to url: URL) async throws {
        let request = HTTPRequest(method: .put, url: url, body: try .file(file))
        let response = try await transport.send(Exchange(request: request))
        guard response.statusCode < 300 else { throw BenchmarkFailure(description: "status \(response.statusCode)") }
    }
}
