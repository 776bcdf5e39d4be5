import Foundation
import Testing
import TrunklineHTTP
import TrunklineTesting

@Suite("A client's calls") @MainActor
struct NetworkClientTests {
    private let server: LoopbackServer
    private let client: NetworkClient

    init() throws {
        server = try LoopbackServer { server in
            server.route(.get, "/posts") { request in
                .json([Post(id: 1, title: request.query("userId") ?? "none")])
            }
            server.route(.post, "/posts") {
                .json(#"{"id":2,"title":"\#(try $0.json(as: [String: String].self)["title"] ?? "")"}"#)
            }
            server.route(.get, "/empty", respond: .status(204))
            server.route(nil, "/status/{code}") { request in
                .json(#"{"why":"\#(request["code"] ?? "")"}"#, status: Int(request["code"] ?? "") ?? 0)
            }
            server.route(.get, "/open") { .json(["token": $0.headers["Authorization"] ?? "none"]) }
        }
        client = Clients.client(of: server)
    }

    private func failure(_ request: any RequestProtocol) async -> NetworkError? {
        do {
            _ = try await client.execute(request, model: [Post].self)
            return nil
        } catch {
            return error
        }
    }

    @Test("A typed answer, with a completion on the main actor and awaited")
    func typed() async throws {
        var heard: [Post]?
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            client.execute(PostRequest.list(user: 7), model: [Post].self) { result in
                MainActor.assertIsolated()
                heard = try? result.get()
                continuation.resume()
            }
            #expect(heard == nil)
        }
        #expect(heard == [Post(id: 1, title: "7")])
        #expect(try await client.execute(PostRequest.add(title: "Emma"), model: Post.self).title == "Emma")
        #expect(server.requests.last?.headers["Content-Type"] == "application/json")
        let posts: [Post] = try await client.execute(APIRequest(path: "posts"))
        #expect(posts.first?.title == "none")
    }

    @Test("Status and header fields come with the whole answer")
    func wholeAnswer() async throws {
        let response = try await client.response(to: APIRequest(path: "empty"))
        #expect(response.statusCode == 204 && response.data.isEmpty)
        #expect(try await client.response(to: PostRequest.list(user: 1)).headers["Content-Type"] == "application/json")
    }

    @Test("No content is noData, and fine for an optional")
    func noContent() async throws {
        guard case .noData(let response) = await failure(APIRequest(path: "empty")) else {
            Issue.record("no error")
            return
        }
        #expect(response.statusCode == 204)
        #expect(try await client.execute(APIRequest(path: "empty"), model: [Post]?.self) == nil)
    }

    @Test("What can't be decoded says where and why, with the answer")
    func undecodable() async {
        do {
            _ = try await client.execute(APIRequest(path: "posts"), model: [[String: Int]].self)
            Issue.record("no error")
        } catch .undecodable(let failure) {
            #expect(failure.path == "[0].title" && failure.response?.statusCode == 200)
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test(
        "A status becomes an error of its class with the server's own words",
        arguments: [400, 401, 403, 404, 408, 409, 410, 412, 422, 429, 499, 500, 503, 599])
    func statuses(code: Int) async throws {
        let error = try #require(await failure(APIRequest(path: "status/\(code)")))
        #expect(error.statusCode == code)
        #expect(error.response?.data == Data(#"{"why":"\#(code)"}"#.utf8))
        #expect(error.response?.headers["Content-Type"] == "application/json")
    }

    @Test("A redirect that is not followed")
    func redirect() async {
        server.route(.get, "/moved", respond: .redirect(to: "/posts"))
        #expect(await failure(APIRequest(path: "moved")) == nil)
        let session = SessionManager(
            configuration: SessionConfiguration(redirects: .refuse), cache: ResponseCache())
        let strict = NetworkClient(baseURL: server.baseURL, session: session)
        do {
            try await strict.response(to: APIRequest(path: "moved"))
            Issue.record("no error")
        } catch .redirect(let response) {
            #expect(response.headers["Location"] == "/posts")
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test("A request that can't be built: one failure with the cause, nothing sent")
    func unbuildable() async {
        let requests: [APIRequest] = [
            APIRequest(path: "https://elsewhere/x"),
            APIRequest(path: "a/{id}"),
            APIRequest(path: "a", httpMethod: "A B"),
            APIRequest(path: "a", headers: ["X-A": "1\r\nX-Evil: 1"]),
            APIRequest(path: "a", httpMethod: .post, httpTask: .requestParameters(body: ["x": Double.nan])),
            APIRequest(path: "a", httpTask: .requestParameters(body: ["x": 1])),
        ]
        for request in requests {
            let heard = Collector<NetworkError>()
            client.execute(request, model: [Post].self) { result in
                if case .failure(let error) = result { heard.add(error) }
            }
            #expect(heard.count == 0)
            #expect(await eventually { heard.count == 1 })
            guard case .invalidRequest = heard.all.first else {
                Issue.record("\(heard.all)")
                continue
            }
        }
        #expect(server.connectionCount == 0)
    }

    @Test("Transport failures keep their kind")
    func transportFailures() async throws {
        for (error, expected) in [
            (HTTPError.offline, "no network"), (.timedOut(.idle), "timedOut"), (.cancelled, "cancelled"),
            (.connectionFailed(reason: "refused"), "transport"),
        ] {
            let stubbed = try Clients.client(StubTransport { _ in throw error })
            do {
                try await stubbed.response(to: APIRequest(path: "a"))
                Issue.record("no error")
            } catch {
                let kind = Mirror(reflecting: error).children.first?.label ?? "\(error)".lowercased()
                #expect(kind.contains(expected))
            }
        }
        let slow = try LoopbackServer { $0.fallback(respond: LoopbackResponse.status(200).delayed(by: .seconds(30))) }
        let impatient = Clients.client(of: slow)
        impatient.timeouts = Timeouts(idle: .milliseconds(300))
        do {
            try await impatient.response(to: APIRequest(path: "a"))
            Issue.record("no error")
        } catch .timedOut(let phase) {
            #expect(phase == .idle)
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test("A client that nobody keeps lives until its call has ended, and goes then")
    func lifetime() async throws {
        weak var gone: NetworkClient?
        let heard = Collector<Bool>()
        var handle: RequestHandle?
        do {
            let client = Clients.client(of: server)
            gone = client
            handle = client.execute(PostRequest.list(user: 1), model: [Post].self) { [client] result in
                heard.add((try? result.get()) != nil && client.runningTasks.isEmpty)
            }
        }
        #expect(await eventually { heard.all == [true] })
        #expect(await eventually { gone == nil }, "the handle must not keep it")
        handle?.cancel()
    }

    @Test("The session's interceptors see every request and answer, as a logger would")
    func interceptors() async throws {
        let log = Collector<String>()
        let logger = ClosureInterceptor { exchange, next in
            log.add("> \(exchange.request.method) \(exchange.request.url.path)")
            let response = try await next(exchange)
            log.add("< \(response.statusCode)")
            return response
        }
        let session = SessionManager(cache: ResponseCache(), interceptors: [logger])
        let client = NetworkClient(baseURL: server.baseURL, session: session)
        _ = try? await client.response(to: APIRequest(path: "status/404"))
        #expect(log.all == ["> GET /status/404", "< 404"])
    }
}
