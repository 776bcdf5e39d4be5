import Foundation
import Testing
import TrunklineHTTP
import TrunklineTesting

@Suite("Request loaders")
struct APIRequestLoaderTests {
    struct Album: Codable, Sendable, Equatable { var name: String }

    /// A session as a test would write it: canned answers, no network.
    struct MockSession: DataSession {
        var outcome: Result<(Int, String), HTTPError> = .success((200, "[]"))
        var times = 1
        let requests = Collector<HTTPRequest>()

        func getData(
            with request: HTTPRequest, completion: @escaping @Sendable (Result<HTTPResponse, HTTPError>) -> Void
        ) -> RequestHandle {
            requests.add(request)
            // From inside the call, which a loader must not pass on.
            for _ in 0..<times {
                completion(
                    outcome.map { HTTPResponse(request: request, statusCode: $0.0, body: .data(Data($0.1.utf8))) })
            }
            return RequestHandle()
        }
    }

    func loader(_ session: any DataSession, url: String = "https://h/albums") -> APIRequestLoader {
        APIRequestLoader(apiRequest: NetworkRequestConfigure(url: url), session: session)
    }

    func failure(_ loader: APIRequestLoader) async -> NetworkError? {
        do {
            _ = try await loader.loadRequest([Album].self)
            return nil
        } catch {
            return error
        }
    }

    // MARK: - Descriptions

    struct Defaults: APIRequestConfigure { var url = "https://h/a b" }

    @Test("Everything but the URL has a default, in the protocol and in the struct")
    func defaults() throws {
        let descriptions: [any APIRequestConfigure] = [Defaults(), NetworkRequestConfigure(url: "https://h/a b")]
        for description in descriptions {
            let request = try description.makeRequest()
            #expect(request.method == .get && request.url.absoluteString == "https://h/a%20b")
            #expect(request.headers.isEmpty && request.body == nil)
            #expect(request.options.timeouts?.idle == .seconds(10) && request.options.cache == nil)
        }
    }

    @Test("Every field goes into the request")
    func fields() throws {
        let request = try NetworkRequestConfigure(
            url: "https://h/a", cachePolicy: .reload, timeoutInterval: .seconds(3), header: ["A": "1"],
            httpBody: Data("b".utf8), httpMethod: .put
        ).makeRequest()
        #expect(request.method == .put && request.headers == ["A": "1"] && request.body?.data == Data("b".utf8))
        #expect(request.options.timeouts?.idle == .seconds(3) && request.options.cache == .reload)
    }

    @Test(
        "What can't be sent is a typed error, and no session is asked",
        arguments: [
            NetworkRequestConfigure(url: ""), NetworkRequestConfigure(url: "albums"),
            NetworkRequestConfigure(url: "ftp://h/x"), NetworkRequestConfigure(url: "http://"),
            NetworkRequestConfigure(url: "https://h", httpMethod: "A B"),
            NetworkRequestConfigure(url: "https://h", header: ["X\r\nY": "1"]),
            NetworkRequestConfigure(url: "https://h", httpBody: Data()),
            NetworkRequestConfigure(url: "https://h", httpBody: Data(), httpMethod: .head),
        ])
    func invalid(description: NetworkRequestConfigure) async {
        let session = MockSession()
        let error = await failure(APIRequestLoader(apiRequest: description, session: session))
        guard case .invalidRequest = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(session.requests.count == 0)
    }

    // MARK: - Answers

    @Test("Good data is decoded into the type of the call, or the type inferred")
    func goodData() async throws {
        let session = MockSession(outcome: .success((200, #"[{"name":"Blue"}]"#)))
        #expect(try await loader(session).loadRequest([Album].self) == [Album(name: "Blue")])
        let inferred: [[String: String]] = try await loader(session).loadRequest()
        #expect(inferred == [["name": "Blue"]])
        #expect(session.requests.all.last?.url.absoluteString == "https://h/albums")
    }

    @Test("The decoder is injected")
    func decoder() async throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        let loader = APIRequestLoader(
            apiRequest: Defaults(), session: MockSession(outcome: .success((200, "[1]"))), decoder: decoder)
        #expect(try await loader.loadRequest([Date].self) == [Date(timeIntervalSince1970: 1)])
    }

    @Test("No data, bad JSON, a bad status and a transport failure are told apart, with their causes")
    func failures() async throws {
        guard case .noData = await failure(loader(MockSession(outcome: .success((200, ""))))) else {
            Issue.record("noData expected")
            return
        }
        guard
            case .undecodable(let cause) = await failure(
                loader(MockSession(outcome: .success((200, #"[{"name":1}]"#)))))
        else {
            Issue.record("undecodable expected")
            return
        }
        #expect(cause.path == "[0].name" && cause.response?.statusCode == 200)
        guard case .server(let response) = await failure(loader(MockSession(outcome: .success((500, "[]"))))) else {
            Issue.record("server expected")
            return
        }
        #expect(response.statusCode == 500 && response.data == Data("[]".utf8))
        guard case .offline = await failure(loader(MockSession(outcome: .failure(.offline)))) else {
            Issue.record("offline expected")
            return
        }
        let optional: [Album]? = try await loader(MockSession(outcome: .success((204, "")))).loadRequest()
        #expect(optional == nil)
    }

    // MARK: - The contract

    @Test("One completion on the queue, never from inside the call, whatever the session does")
    func completion() async throws {
        let queue = DispatchQueue(label: "test.loads")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        for (session, url) in [
            (MockSession(), "https://h"), (MockSession(times: 3), "https://h"), (MockSession(), "nonsense"),
            (MockSession(outcome: .failure(.offline)), "https://h"),
        ] {
            let heard = Collector<Bool>()
            let loader = APIRequestLoader(
                apiRequest: NetworkRequestConfigure(url: url), session: session, queue: queue)
            queue.suspend()
            loader.loadRequest([Album].self) { _ in heard.add(DispatchQueue.getSpecific(key: key) == true) }
            #expect(heard.count == 0)
            queue.resume()
            #expect(await eventually { heard.count >= 1 })
            queue.sync {}
            #expect(heard.all == [true])
        }
    }

    /// Tells, through a decoding strategy, that it was decoded.
    struct Noted: Decodable, Sendable { var date: Date }

    @Test("A cancel on the queue wins, also over a session that never answers")
    func cancel() async throws {
        let queue = DispatchQueue(label: "test.loads")
        for session in [MockSession(), MockSession(times: 0)] {
            let heard = Collector<Result<[Album], NetworkError>>()
            let loader = APIRequestLoader(apiRequest: Defaults(), session: session, queue: queue)
            queue.suspend()
            let handle = loader.loadRequest([Album].self) { heard.add($0) }
            handle.cancel()
            handle.cancel()
            queue.resume()
            #expect(await eventually { heard.count == 1 })
            guard case .failure(.cancelled) = heard.all.first else {
                Issue.record("\(heard.all)")
                continue
            }
        }
        // The answer is decoded, and its delivery most often queued already, when the cancel comes.
        for _ in 0..<50 {
            let heard = Collector<Result<Noted, NetworkError>>()
            let decoded = Collector<Int>()
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .custom { _ in
                decoded.add(1)
                return .distantPast
            }
            let session = MockSession(outcome: .success((200, #"{"date":1}"#)))
            let loader = APIRequestLoader(apiRequest: Defaults(), session: session, decoder: decoder, queue: queue)
            queue.suspend()
            let handle = loader.loadRequest(Noted.self) { heard.add($0) }
            #expect(await eventually { decoded.count == 1 })
            await Task.yield()
            handle.cancel()
            queue.resume()
            #expect(await eventually { heard.count == 1 })
            guard case .failure(.cancelled) = heard.all.first else {
                Issue.record("\(heard.all)")
                continue
            }
        }

        let silent = loader(MockSession(times: 0))
        let waiting = Task { try await silent.loadRequest([Album].self) }
        waiting.cancel()
        await #expect(throws: NetworkError.self) { try await waiting.value }
    }
}
