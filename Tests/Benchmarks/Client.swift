import TrunklineHTTP

/// One way to send requests that is measured.
protocol Client: Sendable {
    /// Fetches the URL and returns the number of content bytes; throws unless the status is a success.
    func get(_ url: URL) async throws -> Int
    /// Fetches the URL into a file.
    func download(_ url: URL, to file: URL) async throws
    /// Sends a file with PUT.
    func upload(_ file: URL, to url: URL) async throws
}

/// The clients, by the names used in the table and on the command line.
enum ClientKind: String, CaseIterable, Codable {
    /// A session on the platform's default transport, which is libcurl on Linux.
    case trunkline = "trunkline-libcurl"
    /// A session on `URLSession`.
    case trunklineURLSession = "trunkline-urlsession"
    /// The libcurl transport without the pipeline.
    case curlTransport = "curl-transport"
    /// `URLSession` with nothing around it: what the ratios refer to.
    case bareURLSession = "urlsession"
    /// The `curl` command, for the two large transfers.
    case curlCommand = "curl-command"

    func make(inFlight: Int) throws -> any Client {
        switch self {
        case .trunkline: return SessionClient(session: .default)
        case .trunklineURLSession:
            let configuration = URLSessionConfiguration.ephemeral
            configuration.httpMaximumConnectionsPerHost = inFlight
            return SessionClient(
                session: SessionManager(transport: URLSessionTransport(configuration: configuration)))
        case .curlTransport: return TransportClient(transport: try CurlTransport())
        case .bareURLSession: return URLSessionClient(connections: inFlight)
        case .curlCommand: return CommandClient()
        }
    }

    /// Whether the client is measured in the scenario when none are named.
    func takesPart(in scenario: Scenario) -> Bool {
        switch self {
        case .trunkline: true
        case .curlCommand: scenario.kind == .download || scenario.kind == .upload
        case .curlTransport: scenario.kind == .get
        // Bare URLSession holds uploads and downloads of this size in memory, but it is what there is to compare with.
        case .trunklineURLSession, .bareURLSession: scenario.kind != .soak && scenario.kind != .burst
        }
    }
}

/// What went wrong in a measurement.
struct BenchmarkFailure: Error, CustomStringConvertible {
    let description: String
}
