import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

/// The halves of A06, A07 and A09 that need a server: one failure, and not a single connection.
@Suite("Requests that can't be built reach no server")
struct RefusedRequestTests {
    private struct Plain: Sendable { var x = 1 }

    /// Sends by callback and gives the one error.
    private func failure(
        _ session: SessionManager, _ request: some RequestConvertible, interceptors: [any Interceptor] = []
    ) async -> HTTPError? {
        let ends = Collector<DataRequest.Outcome>()
        session.request(request, interceptors: interceptors).onResponse(on: .global()) { ends.add($0) }
        #expect(await eventually { ends.count == 1 })
        guard case .failure(let error) = ends.all.first else { return nil }
        return error
    }

    @Test("A06: values JSON can't hold, each by its key path")
    func values() async throws {
        let server = try LoopbackServer { $0.fallback(respond: .text("x")) }
        let session = SessionManager()
        let url = try #require(server.url("/")).absoluteString
        let rows: [(Parameters, String)] = [
            (["x": Double.nan], "x"), (["x": [1, Double.infinity]], "x[1]"), (["s": Plain()], "s"),
        ]
        for (parameters, expected) in rows {
            let error = await failure(session, Endpoint(.post, url, parameters: parameters, encoding: .json))
            guard case .invalidRequest(.parameter(let path, _)) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(path == expected)
        }
        let control: Parameters = ["u": UInt64.max, "n": NSNull(), "dec": Decimal(string: "129.9")]
        #expect(server.connectionCount == 0)
        _ = try await session.send(Endpoint(.post, url, parameters: control, encoding: .json))
        #expect(server.requests.first?.body == Data(#"{"dec":129.9,"n":null,"u":18446744073709551615}"#.utf8))
    }

    @Test("A07: dot segments; a good value arrives in one escaped segment")
    func paths() async throws {
        let server = try LoopbackServer { $0.fallback(respond: .text("x")) }
        let session = SessionManager()
        let template = try #require(server.url("/")).absoluteString + "users/{id}/files/{name}"
        for id in ["..", "."] {
            let error = await failure(session, Endpoint(.delete, template, parameters: ["id": id, "name": "n"]))
            guard case .invalidRequest(.parameter("id", _)) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        #expect(server.connectionCount == 0)
        _ = try await session.send(
            Endpoint(.get, template, parameters: ["id": "a/b", "name": "50% off?#1 ü.txt", "v": 1]))
        #expect(server.requests.first?.target == "/users/a%2Fb/files/50%25%20off%3F%231%20%C3%BC.txt?v=1")
    }

    @Test(
        "A09: names and values that could add a line, from every source of headers",
        arguments: [
            ("X-A", "a\r\nX-Evil: 1"), ("X-B\r\nX-Evil: 1", "v"), ("X-A", "a\nX-Evil: 1"), ("X-A", "a\u{0}b"),
            ("X Y", "v"), ("X:Y", "v"), ("", "v"),
        ])
    func headers(name: String, value: String) async throws {
        let server = try LoopbackServer { $0.fallback(respond: .text("x")) }
        let url = try #require(server.url("/"))
        let bad = HTTPHeaders([HTTPHeaders.Field(name, value)])
        let plain = SessionManager()
        let adding = ClosureInterceptor { exchange, next in
            var exchange = exchange
            exchange.request.headers.merge(bad)
            return try await next(exchange)
        }
        let errors = [
            await failure(SessionManager(configuration: SessionConfiguration(headers: bad)), url),
            await failure(plain, HTTPRequest(url: url, headers: bad)),
            await failure(plain, Endpoint(.get, url.absoluteString, headers: bad)),
            await failure(SessionManager(interceptors: [adding]), url),
            await failure(plain, url, interceptors: [adding]),
        ]
        for error in errors {
            guard case .invalidRequest(.header(let named, _)) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(named == name)
        }
        #expect(server.connectionCount == 0)
        _ = try await plain.send(HTTPRequest(url: url, headers: ["X-Ok": "a\tb"]))
        #expect(server.requests.first?.headers["X-Ok"] == "a\tb")
        #expect(!String(decoding: server.rawBytes(connection: 0), as: UTF8.self).contains("X-Evil"))
    }
}
