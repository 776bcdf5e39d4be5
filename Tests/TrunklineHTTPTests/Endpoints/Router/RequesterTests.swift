import Foundation
import Testing
import TrunklineHTTP
import TrunklineTesting

@Suite("Requests that know their answer, and who executes them")
struct RequesterTests {
    private let server: LoopbackServer
    private let session = SessionManager(cache: ResponseCache())
    private let here: NetworkConfiguration

    init() throws {
        server = try LoopbackServer { server in
            server.route(.get, "/films") { request in
                .json([Film(title: "Alien", year: 1979)], headers: ["X-Page": request.query("page") ?? "none"])
            }
            server.route(.get, "/films/{title}") { request in
                .json(#"{"reason":"no \#(request["title"] ?? "")"}"#, status: 404)
            }
            server.route(.post, "/films", respond: .status(204))
        }
        here = NetworkConfiguration(baseURL: server.baseURL)
    }

    private func listFactory(page: Int = 1) -> RequestFactory {
        RequestFactory(
            router: FilmRouter.list(here),
            requestBuilder: .compose(.addHeaders(["X-App": "a"]), .addURLParams(["page": page])))
    }

    private struct FilmPage: Request {
        let requestFactory: RequestFactory
        var requestParser: RequestParser<String?> { .response { $0.headers["X-Page"] } }
    }

    @Test("A factory makes the router's request with the builder's changes, anew each time")
    func factories() throws {
        let request = try listFactory(page: 2).makeRequest()
        #expect(request.url.query == "sort=year&page=2" && request.headers == ["X-App": "a"])
        #expect(try RequestFactory(router: FilmRouter.add(here)).makeRequest().method == .post)
    }

    @Test("Decodable, Void and parsed answers over HTTP, awaited")
    func answers() async throws {
        let films = try await session.execute(RequestType<[Film]>(requestFactory: listFactory()))
        #expect(films == [Film(title: "Alien", year: 1979)])
        #expect(server.requests.last?.target == "/films?sort=year&page=1")
        #expect(server.requests.last?.headers["X-App"] == "a")

        try await session.execute(
            RequestType<Void>(
                requestFactory: RequestFactory(
                    router: FilmRouter.add(here), requestBuilder: .addBody(json: Film(title: "Heat", year: 1995)))))
        #expect(server.requests.last?.text == #"{"title":"Heat","year":1995}"#)
        #expect(server.requests.last?.headers["Content-Type"] == "application/json")

        let count = try await session.execute(
            RequestType(requestFactory: listFactory(), requestParser: RequestParser { (data: Data) in data.count }))
        #expect(count > 10)
        #expect(try await session.execute(FilmPage(requestFactory: listFactory(page: 9))) == "9")
        let whole = try await session.execute(
            RequestType<HTTPResponse>(requestFactory: listFactory(), requestParser: .response))
        #expect(whole.statusCode == 200)
    }

    private struct Shout: Decodable, Sendable { var TITLE: String }

    @Test("The decoder is the request's")
    func decoder() async throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .custom { path in
            Name(stringValue: path.last?.stringValue.uppercased() ?? "") ?? path[0]
        }
        let films = try await session.execute(
            RequestType<[Shout]>(requestFactory: listFactory(), decoder: decoder))
        #expect(films.first?.TITLE == "Alien")
    }

    private struct Name: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    @Test("A bad status is an error with the answer, or the parser's to judge")
    func statuses() async throws {
        var factory = RequestFactory(router: FilmRouter.film("a/b", here))
        do {
            _ = try await session.execute(RequestType<Film>(requestFactory: factory))
            Issue.record("no error")
        } catch {
            #expect(error.response?.statusCode == 404)
            #expect(error.response?.data == Data(#"{"reason":"no a/b"}"#.utf8))
        }
        factory.requestBuilder = .validate(.acceptAny)
        let judged = try await session.execute(
            RequestType(
                requestFactory: factory,
                requestParser: .response { "\($0.statusCode) \(String(decoding: $0.data, as: UTF8.self))" }))
        #expect(judged == #"404 {"reason":"no a/b"}"#)
    }

    private struct Refusal: Error {}

    @Test("A parser's error: decoding errors with the place, own errors as they are")
    func parserErrors() async throws {
        do {
            _ = try await session.execute(RequestType<[[String: Int]]>(requestFactory: listFactory()))
            Issue.record("no error")
        } catch .decoding(let failure) {
            #expect(failure.path == "[0].title")
        }
        do {
            let parser = RequestParser { (data: Data) in try JSONDecoder().decode([Int].self, from: data) }
            _ = try await session.execute(RequestType(requestFactory: listFactory(), requestParser: parser))
            Issue.record("no error")
        } catch .decoding(let failure) {
            #expect(failure.path == "[0]" && failure.response?.statusCode == 200)
        }
        do {
            let parser = RequestParser<Int> { _ in throw Refusal() }
            _ = try await session.execute(RequestType(requestFactory: listFactory(), requestParser: parser))
            Issue.record("no error")
        } catch .custom(let error) {
            #expect(error is Refusal)
        }
    }

    @Test("One completion, on the request's queue, never from inside the call, whatever the end")
    func completion() async throws {
        let queue = DispatchQueue(label: "test.responses")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let unset = NetworkConfiguration()
        let factories = [
            listFactory(), RequestFactory(router: FilmRouter.film("x", here)),
            RequestFactory(router: FilmRouter.list(unset)),
            RequestFactory(router: FilmRouter.list(here), requestBuilder: RequestBuilder { _ in throw Refusal() }),
        ]
        for factory in factories {
            let heard = Collector<Bool>()
            queue.suspend()
            session.execute(RequestType<[Film]>(requestFactory: factory, responseQueue: queue)) { _ in
                heard.add(DispatchQueue.getSpecific(key: key) == true)
            }
            #expect(heard.count == 0)
            queue.resume()
            #expect(await eventually { heard.all == [true] })
        }
        #expect(server.requestCount == 2, "what can't be built is not sent")
    }

    @Test("The default queue is the main one")
    func mainQueue() async throws {
        // The queue and not the thread: where the program's main is asynchronous, the two differ on Linux.
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        let onMain = await withCheckedContinuation { continuation in
            session.execute(RequestType<[Film]>(requestFactory: listFactory())) { _ in
                continuation.resume(returning: DispatchQueue.getSpecific(key: key) == true)
            }
        }
        #expect(onMain)
    }

    @Test("A handle and the waiting task's cancellation cancel the request on the wire")
    func cancel() async throws {
        let gate = LoopbackGate()
        server.route(.get, "/films", respond: LoopbackResponse.json("[]").held(by: gate))
        let heard = Collector<Result<[Film], HTTPError>>()
        let handle = session.execute(
            RequestType<[Film]>(requestFactory: listFactory(), responseQueue: .global())
        ) { heard.add($0) }
        #expect(await server.waitForRequests(1))
        handle.cancel()
        handle.cancel()
        #expect(await eventually { heard.count == 1 })
        guard case .failure(.cancelled) = heard.all.first else {
            Issue.record("\(heard.all)")
            return
        }
        #expect(await server.waitForConnectionsClosed())

        let request = RequestType<[Film]>(requestFactory: listFactory())
        let waiting = Task { [session] in try await session.execute(request) }
        #expect(await server.waitForRequests(2))
        waiting.cancel()
        await #expect(throws: HTTPError.self) { try await waiting.value }
        #expect(session.activeRequests.isEmpty)
        #expect(await eventually { gate.waiting == 0 })
    }

    @Test("A session that sends nothing by itself sends what is executed")
    func deferredStart() async throws {
        let session = SessionManager(
            configuration: SessionConfiguration(startsRequestsImmediately: false), cache: ResponseCache())
        #expect(try await session.execute(RequestType<[Film]>(requestFactory: listFactory())).count == 1)
    }

    /// A requester as a test would write it, no network.
    private struct Canned: Requester {
        var answer = "[]"
        var times = 1

        func execute<R: Request>(
            _ request: R, response: @escaping @Sendable (Result<R.Response, HTTPError>) -> Void
        ) -> RequestHandle {
            request.responseQueue.async {
                for _ in 0..<times {
                    response(
                        Result { () throws(HTTPError) in
                            let made = try request.requestFactory.makeRequest()
                            return try request.requestParser(
                                HTTPResponse(request: made, statusCode: 200, body: .data(Data(answer.utf8))))
                        })
                }
            }
            return RequestHandle()
        }
    }

    @Test("Another requester in the place of the session; one that misbehaves can't break the wait")
    func standIn() async throws {
        let request = RequestType<[Film]>(requestFactory: listFactory())
        let requesters: [any Requester] = [Canned(), session]
        #expect(try await requesters[0].execute(request).isEmpty)
        #expect(try await requesters[1].execute(request).count == 1)
        #expect(try await Canned(times: 3).execute(request).isEmpty)

        let silent = Canned(times: 0)
        let waiting = Task { try await silent.execute(request) }
        waiting.cancel()
        await #expect(throws: HTTPError.self) { try await waiting.value }
    }
}
