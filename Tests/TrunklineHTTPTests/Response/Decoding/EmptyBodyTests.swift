import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

/// Case A15, on both transports, each answer on a kept connection and followed by another request.
@Suite("Empty bodies")
struct EmptyBodyTests {
    private struct Book: Decodable, Sendable, Equatable { var title: String }
    private struct Saved: Decodable, Sendable, Equatable, EmptyContentRepresentable {
        var id: Int?
        static let emptyContent = Saved(id: nil)
    }

    private func server() throws -> LoopbackServer {
        try LoopbackServer { server in
            server.route(.get, "/204", respond: .status(204))
            server.route(.get, "/205", respond: .status(205, headers: ["Content-Length": "0"]))
            server.route(.get, "/200", respond: .status(200))
            server.route(.head, "/1234", respond: LoopbackResponse(body: .data(Data(count: 1234))))
            server.route(.get, "/space", respond: .json(" "))
            server.route(.get, "/book", respond: .json(#"{"title":"Emma"}"#))
        }
    }

    private enum Kind: Equatable { case empty, decoding, none, other }

    private func kind(_ request: DataRequest) async -> Kind {
        do throws(HTTPError) {
            _ = try await request.value(of: Book.self)
            return .none
        } catch .emptyResponse {
            return .empty
        } catch .decoding {
            return .decoding
        } catch {
            return .other
        }
    }

    @Test("What an empty answer gives is up to the type, the status and the method", arguments: TransportKind.allCases)
    func empty(kind transport: TransportKind) async throws {
        let server = try server()
        let session = transport.session()
        func request(_ path: String, _ method: HTTPMethod = .get) throws -> DataRequest {
            session.request(try server.request(method, path))
        }
        for path in ["/204", "/205"] {
            #expect(try await request(path).value(of: Book?.self) == nil)
            #expect(try await request(path).value(of: NoContent.self) == NoContent())
            #expect(try await request(path).value(of: Saved.self) == Saved(id: nil))
            #expect(try await request(path).data().isEmpty)
            #expect(await kind(try request(path)) == .empty)
            #expect(try await request("/book").value(of: Book.self).title == "Emma")
        }
        #expect(try await request("/200").data().isEmpty)
        #expect(try await request("/200").value(of: NoContent.self) == NoContent())
        #expect(await kind(try request("/200")) == .empty)
        let error = await #expect(throws: HTTPError.self) { try await request("/200").value(of: Saved.self) }
        guard case .emptyResponse = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try await request("/200").value(of: Saved.self, emptyStatuses: [200]) == Saved(id: nil))
        let head = try await request("/1234", .head).response()
        #expect(head.data.isEmpty && head.headers["Content-Length"] == "1234")
        #expect(try head.decode(Saved.self) == Saved(id: nil))
        #expect(await kind(try request("/space")) == .decoding)
        #expect(try await request("/book").value(of: Book.self).title == "Emma")
        #expect(server.connectionCount == 1)
    }
}
