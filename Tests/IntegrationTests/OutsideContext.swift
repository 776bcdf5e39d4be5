import Foundation
import Testing
import TrunklineHTTP

/// What a check works with: a transport and the two servers.
struct OutsideContext: Sendable {
    let transport: OutsideTransport
    let servers: OutsideServers

    init(transport: OutsideTransport, servers: OutsideServers) {
        self.transport = transport
        self.servers = servers
    }

    var httpbin: URL { servers.httpbin.base }
    var nginx: URL { servers.nginx.base }
    var bin: Origin { Origin(httpbin) }

    /// The sessions of the check: a request ends with its session.
    private let sessions = Protected<[SessionManager]>([])

    /// A session of the check's own, which lives as long as the check.
    func session(_ configuration: SessionConfiguration = SessionConfiguration()) -> SessionManager {
        let session = SessionManager(
            configuration: configuration, transport: transport.make(), cache: ResponseCache())
        sessions.withLock { $0.append(session) }
        return session
    }

    /// The answer of httpbin, which says what it was sent, as JSON.
    func echo(_ endpoint: Endpoint, _ configuration: SessionConfiguration = SessionConfiguration()) async throws
        -> JSONValue
    {
        try await session(configuration).request(endpoint).value(of: JSONValue.self)
    }

    /// The response, whatever its status.
    func response(_ endpoint: Endpoint, _ configuration: SessionConfiguration = SessionConfiguration()) async throws
        -> HTTPResponse
    {
        var endpoint = endpoint
        endpoint.options.validation = .acceptAny
        return try await session(configuration).send(endpoint)
    }

    /// The failure of a request that must fail.
    func failure(_ endpoint: Endpoint, _ configuration: SessionConfiguration = SessionConfiguration()) async
        -> HTTPError?
    {
        do {
            _ = try await session(configuration).send(endpoint)
            return nil
        } catch {
            return error
        }
    }

    /// A new directory of the check's own; the caller removes it.
    func directory() throws -> URL {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
            "trunkline-check-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        return directory
    }
}
