import Foundation
import Testing
import TrunklineHTTP
import TrunklineTesting

/// The loader over real sessions.
extension APIRequestLoaderTests {
    @Test(
        "SessionManager and URLSession over HTTP: data, statuses, a cancel on the wire",
        arguments: Sanitizer.isThread ? [false] : [true, false])
    func sessions(usesURLSession: Bool) async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer { server in
            server.route(.get, "/albums") { .json([Album(name: $0.headers["X-A"] ?? "")], headers: ["X-B": "b"]) }
            server.route(.put, "/albums") { .json([Album(name: $0.text)]) }
            server.route(.get, "/broken", respond: .json("[]", status: 503))
            server.route(.get, "/held", respond: LoopbackResponse.json("[]").held(by: gate))
        }
        let session: any DataSession =
            usesURLSession ? URLSession(configuration: .ephemeral) : SessionManager(cache: ResponseCache())
        func loader(
            _ path: String, header: HTTPHeaders? = nil, body: Data? = nil, method: HTTPMethod? = nil
        ) -> APIRequestLoader {
            APIRequestLoader(
                apiRequest: NetworkRequestConfigure(
                    url: server.baseURL.absoluteString + path, timeoutInterval: .seconds(60), header: header,
                    httpBody: body, httpMethod: method),
                session: session)
        }
        #expect(try await loader("/albums", header: ["X-A": "a"]).loadRequest([Album].self) == [Album(name: "a")])
        #expect(
            try await loader("/albums", body: Data("put".utf8), method: .put).loadRequest([Album].self)
                == [Album(name: "put")])
        guard case .server(let response) = await failure(loader("/broken")) else {
            Issue.record("server expected")
            return
        }
        #expect(response.statusCode == 503 && response.data == Data("[]".utf8))

        let url = try #require(server.url("/albums"))
        let answer = await withCheckedContinuation { continuation in
            session.getData(with: url) { continuation.resume(returning: $0) }
        }
        #expect(try answer.get().headers["X-B"] == "b")

        let waiting = Task { try await loader("/held").loadRequest([Album].self) }
        #expect(await server.waitForRequests(1, path: "/held"))
        waiting.cancel()
        await #expect(throws: NetworkError.self) { try await waiting.value }
        #expect(await eventually { gate.waiting == 0 }, "the client has let go of the connection")

        server.stop()
        guard case .transport = await failure(loader("/albums")) else {
            Issue.record("transport expected")
            return
        }
    }

    @Test("URLSession: a total limit holds, and a body that is not in memory is refused")
    func urlSessionLimits() async throws {
        let server = try LoopbackServer { server in
            server.fallback(respond: LoopbackResponse.status(200).delayed(by: .seconds(60)))
        }
        let session = URLSession(configuration: .ephemeral)
        var request = HTTPRequest(method: .put, url: server.baseURL)
        request.options.timeouts = Timeouts(total: .milliseconds(200))
        let limited = request
        let late = await withCheckedContinuation { continuation in
            session.getData(with: limited) { continuation.resume(returning: $0) }
        }
        guard case .failure(.timedOut(.total)) = late else {
            Issue.record("\(late)")
            return
        }
        request.body = .stream { RequestBody.Chunks { nil } }
        let streamed = request
        let refused = await withCheckedContinuation { continuation in
            session.getData(with: streamed) { continuation.resume(returning: $0) }
        }
        guard case .failure(.invalidRequest(.body)) = refused else {
            Issue.record("\(refused)")
            return
        }
    }

    @Test(
        "A challenge that a platform's URLSession never answers ends the load all the same", arguments: [true, false])
    func challenge(usesURLSession: Bool) async throws {
        let server = try LoopbackServer { server in
            server.fallback(respond: .status(401, headers: ["WWW-Authenticate": #"Basic realm="r""#]))
        }
        let description = NetworkRequestConfigure(
            url: server.baseURL.absoluteString, timeoutInterval: .milliseconds(300))
        let session: any DataSession =
            usesURLSession ? URLSession(configuration: .ephemeral) : SessionManager(cache: ResponseCache())
        switch await failure(APIRequestLoader(apiRequest: description, session: session)) {
        case .authentication: break
        case .timedOut where usesURLSession: break
        case let other: Issue.record("\(String(describing: other))")
        }
    }
}
