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
    case bareURLSession = "urlsession"

    func make(inFlight: Int) throws -> any Client {
        switch self {
        case .trunklineCurl: TransportClient(transport: try CurlTransport())
        case .bareURLSession: URLSessionClient(connections: inFlight)
        }
    }
}

/// What went wrong in a measurement.
struct BenchmarkFailure: Error, CustomStringConvertible {
    let description: String
}
