import Foundation
import TrunklineTesting

/// A server of the ready-made routes, and who asks it by hand: no redirects, no validation.
struct StandardServer: Sendable {
    let server: LoopbackServer
    let session: SessionManager

    init() throws {
        server = try LoopbackServer { $0.addStandardRoutes() }
        var configuration = SessionConfiguration()
        configuration.retry = .never
        session = SessionManager(configuration: configuration, transport: DefaultTransport.make())
    }

    func send(
        _ method: HTTPMethod = .get, _ path: String, headers: HTTPHeaders = [:], body: RequestBody? = nil
    ) async throws -> HTTPResponse {
        var headers = headers
        if let type = body?.contentType { headers.setDefault("Content-Type", type) }
        let request = try request(
            method, path, base: server.baseURL.absoluteString, headers: headers, body: body)
        return try await session.transport.answer(request)
    }

    func json(_ response: HTTPResponse) throws -> JSONValue { try JSONValue(parsing: response.data) }
}
