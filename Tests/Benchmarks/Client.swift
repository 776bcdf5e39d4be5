import TrunklineHTTP

/// One way to send requests that is measured.
protocol Client: Sendable {
    /// Fetches the URL and returns the number of content bytes; throws unless the status is 200.
    func get(_ url: URL) async throws -> Int
    /// Fetches the URL into a file.
    func download(_ url: URL, to file: URL) async throws
    /// Sends a file with PUT.
    func upload(_ file: URL, to url: URL) async throws
}

/// The clients, by the names used in the table and on the command line.
enum ClientKind: String, CaseIterable, Codable {
    case trunklineCurl = "trunkline-libcurl"
    case trunklineURLSession = "trunkline-urlsession"
    case bareURLSession = "urlsession"

    func make(inFlight: Int) throws -> any Client {
        switch self {
        case .trunklineCurl:
            guard SessionManager.default.transport is CurlTransport else {
                throw BenchmarkFailure(description: "libcurl can't be opened")
            }
            return SessionClient(session: .default)
        case .trunklineURLSession:
            let configuration = URLSessionConfiguration.ephemeral
            configuration.httpMaximumConnectionsPerHost = inFlight
            return SessionClient(
                session: SessionManager(transport: URLSessionTransport(configuration: configuration)))
        case .bareURLSession: return URLSessionClient(connections: inFlight)
        }
    }
}

/// What went wrong in a measurement.
struct BenchmarkFailure: Error, CustomStringConvertible {
    let description: String
}
