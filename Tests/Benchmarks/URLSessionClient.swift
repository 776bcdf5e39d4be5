import TrunklineHTTP

/// The toolchain's URLSession with its completion handlers and nothing around it.
struct URLSessionClient: Client {
    private let session: URLSession

    init(connections: Int) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = connections
        configuration.urlCache = nil
        session = URLSession(configuration: configuration)
    }

    func get(_ url: URL) async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
            session.dataTask(with: url) { data, response, error in
                continuation.resume(
                    with: Result {
                        try check(response, error)
                        return data?.count ?? 0
                    })
            }.resume()
        }
    }

    func download(_ url: URL, to file: URL) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            session.downloadTask(with: url) { location, response, error in
                continuation.resume(
                    with: Result {
                        try check(response, error)
                        guard let location else { throw BenchmarkFailure(description: "no file") }
                        try? FileManager.default.removeItem(at: file)
                        try FileManager.default.moveItem(at: location, to: file)
                    })
            }.resume()
        }
    }

    func upload(_ file: URL, to url: URL) async throws {
        var request = URLRequest(url: url)
        request.httpMethod = "PUT"
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            session.uploadTask(with: request, fromFile: file) { _, response, error in
                continuation.resume(with: Result { try check(response, error) })
            }.resume()
        }
    }

    private func check(_ response: URLResponse?, _ error: (any Error)?) throws {
        if let error { throw error }
        guard let status = (response as? HTTPURLResponse)?.statusCode, (200..<300).contains(status) else {
            throw BenchmarkFailure(description: "an unexpected response")
        }
    }
}
