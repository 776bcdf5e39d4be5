import Foundation
import Testing
import TrunklineHTTP
import TrunklineTesting

@Suite("Cancelling a client's calls") @MainActor
struct ClientCancelTests {
    private let server: LoopbackServer
    private let client: NetworkClient
    private let gate = LoopbackGate()

    init() throws {
        let gate = gate
        server = try LoopbackServer { server in
            server.route(nil, "/held", respond: LoopbackResponse.json("[]").held(by: gate))
            server.route(nil, "/other", respond: LoopbackResponse.json("[]").held(by: gate))
        }
        client = Clients.client(of: server)
    }

    private func isCancelled<Value>(_ result: Result<Value, NetworkError>) -> Bool {
        if case .failure(.cancelled) = result { true } else { false }
    }

    @Test("By the request alone: every twin, and nothing else; the report comes after the completions")
    func identity() async throws {
        let heard = Collector<Bool>()
        let held = APIRequest(path: "held", httpTask: .requestParameters(url: ["id": 1]))
        let twin = APIRequest(path: "held", httpTask: .requestParameters(url: ["id": 1]))
        let near = APIRequest(path: "held", httpTask: .requestParameters(url: ["id": 2]))
        let typed = APIRequest(path: "held", httpTask: .requestParameters(url: ["id": true]))
        for request in [held, twin, near, typed] {
            client.execute(request, model: [Post].self) { heard.add(isCancelled($0)) }
        }
        #expect(client.runningTasks.map(\.request) == [held, twin, near, typed])
        #expect(client.runningTasks.allSatisfy { $0.kind == .data && $0.baseURL == server.baseURL })
        #expect(await server.waitForRequests(4))

        let reported = Collector<[Bool]>()
        client.cancel(request: held) { count in reported.add(heard.all + [count == 2]) }
        #expect(reported.count == 0, "not from inside the call")
        #expect(await eventually { reported.all == [[true, true, true]] })
        #expect(client.runningTasks.map(\.request) == [near, typed])
        #expect(await server.waitForConnectionsClosed(downTo: 2))
        gate.open()
        #expect(await eventually { heard.all == [true, true, false, false] })
        #expect(client.runningTasks.isEmpty, "ended calls are not kept")
        #expect(client.session.activeRequests.isEmpty)
    }

    @Test("Nothing under way: the report comes all the same")
    func nothingToCancel() async throws {
        #expect(await client.cancel(request: APIRequest(path: "held")) == 0)
        gate.open()
        _ = try await client.execute(APIRequest(path: "held"), model: [Post].self)
        #expect(await client.cancel(request: APIRequest(path: "held")) == 0)
        // A second client of another base URL has calls of its own.
        let other = try Clients.client(StubTransport { .stub(for: $0) })
        #expect(await other.cancel(request: APIRequest(path: "held")) == 0)
    }

    @Test("Uploads and downloads, and whatever type the request is described by")
    func transfers() async throws {
        struct Held: RequestProtocol {
            var path: String { "held" }
            var httpMethod: HTTPMethod { .put }
        }
        let scratch = try ScratchDirectory.made()
        let heard = Collector<Bool>()
        client.upload(Held(), content: .data(Data("x".utf8)), model: [Post].self) { heard.add(isCancelled($0)) }
        client.download(APIRequest(path: "other"), to: scratch.url(of: "f")) { heard.add(isCancelled($0)) }
        #expect(client.runningTasks.map(\.kind) == [.upload, .download])
        #expect(await server.waitForRequests(2))
        #expect(await client.cancel(request: APIRequest(path: "held", httpMethod: .put)) == 1)
        #expect(await client.cancel(request: APIRequest(path: "other")) == 1)
        #expect(heard.all == [true, true])
        #expect(await eventually { scratch.files.isEmpty })
    }

    @Test("A handle cancels its own call only; before it is sent, nothing is")
    func handles() async throws {
        let heard = Collector<Bool>()
        let request = APIRequest(path: "held")
        let first = client.execute(request, model: [Post].self) { heard.add(isCancelled($0)) }
        first.cancel()
        first.cancel()
        #expect(heard.count == 0)
        #expect(await eventually { heard.all == [true] })
        #expect(client.runningTasks.isEmpty && server.requestCount == 0)

        let second = client.execute(request, model: [Post].self) { heard.add(isCancelled($0)) }
        client.execute(request, model: [Post].self) { heard.add(isCancelled($0)) }
        #expect(await server.waitForRequests(2))
        second.cancel()
        #expect(await eventually { heard.all == [true, true] })
        gate.open()
        #expect(await eventually { heard.all == [true, true, false] })
    }

    @Test("After a cancel on the main actor no success arrives, however near it was")
    func cancelWins() async throws {
        let transport = StubTransport { .stub(for: $0, json: "[]") }
        let client = try Clients.client(transport)
        for round in 1...100 {
            let heard = Collector<Bool>()
            client.execute(APIRequest(path: "a"), model: [Post].self) { heard.add(isCancelled($0)) }
            #expect(await eventually { transport.requests.count == round && client.session.activeRequests.isEmpty })
            // The answer is there; its completion may have run or not.
            let isRunning = !client.runningTasks.isEmpty
            client.cancel(request: APIRequest(path: "a"), completion: nil)
            #expect(await eventually { heard.count == 1 })
            #expect(heard.all == [isRunning])
        }
    }

    @Test("Cancelling the waiting task cancels the call")
    func waitingTask() async throws {
        let client = client
        let waiting = Task { try await client.execute(APIRequest(path: "held"), model: [Post].self) }
        #expect(await server.waitForRequests(1))
        waiting.cancel()
        await #expect(throws: NetworkError.self) { try await waiting.value }
        #expect(await server.waitForConnectionsClosed())
        #expect(await eventually { client.runningTasks.isEmpty })
    }

    @Test("Calls from and cancels on many threads end once each")
    func storm() async throws {
        let transport = StubTransport { .stub(for: $0, json: "[]") }
        let client = try Clients.client(transport)
        let ends = Collector<Int>()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let handle = await client.execute(
                        APIRequest(path: "\(number % 10)"), model: [Post].self
                    ) { _ in ends.add(number) }
                    if number.isMultiple(of: 3) { handle.cancel() }
                    if number.isMultiple(of: 7) { await client.cancel(request: APIRequest(path: "\(number % 10)")) }
                }
            }
        }
        #expect(await eventually { ends.count == 200 })
        #expect(Set(ends.all).count == 200 && client.runningTasks.isEmpty)
    }
}
