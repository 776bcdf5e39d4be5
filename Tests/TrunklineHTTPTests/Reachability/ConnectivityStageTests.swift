import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite struct ConnectivityStageTests {
    private let down = NetworkPath(status: .unsatisfied)
    private let up = NetworkPath(status: .satisfied, interfaces: [.wired])

    // One listener is the stage's, which keeps the path at hand; each wait has its own.

    private func next(
        _ network: StubReachability, _ clock: TestClock = TestClock(), policy: ConnectivityPolicy,
        _ transport: any Transport
    ) -> Next {
        Load.next(
            [ConnectivityStage(defaultPolicy: policy, reachability: network, timeline: Timeline(clock))], transport)
    }

    @Test func `a request waits for the network, and its time rests meanwhile`() async throws {
        let network = StubReachability(down)
        let transport = StubTransport { .stub(for: $0) }
        let timer = RecordingTimer()
        let next = next(network, policy: .wait(atMost: .seconds(60)), transport)
        let request = Task {
            var exchange = Load.exchange()
            exchange.timer = timer
            return try await next(exchange)
        }
        #expect(await eventually { network.listenerCount == 2 && timer.isPaused })
        #expect(transport.requests.isEmpty)
        network.path = up
        #expect(try await request.value.statusCode == 200)
        #expect(timer.paused == 1 && timer.resumed == 1)
        #expect(await eventually { network.listenerCount == 1 })
    }

    @Test func `the wait ends at the limit, offline, and nothing was sent`() async {
        let network = StubReachability(down)
        let clock = TestClock()
        let transport = StubTransport { .stub(for: $0) }
        let next = next(network, clock, policy: .wait(atMost: .seconds(60)), transport)
        let request = Task { try await next(Load.exchange()) }
        await clock.waitForSleepers()
        clock.advance(by: .seconds(60))
        #expect(await request.result.httpError?.isOffline == true)
        #expect(transport.requests.isEmpty)
    }

    @Test(arguments: [Duration.zero, .seconds(-5), .seconds(Int64.min)])
    func `no time to wait is an error at once`(limit: Duration) async {
        let transport = StubTransport { .stub(for: $0) }
        let next = next(StubReachability(down), policy: .wait(atMost: limit), transport)
        let error = await #expect(throws: HTTPError.self) { try await next(Load.exchange()) }
        #expect(error?.isOffline == true)
    }

    @Test func `cancel ends the wait at once`() async {
        let network = StubReachability(down)
        let transport = StubTransport { .stub(for: $0) }
        let next = next(network, policy: .wait(atMost: .seconds(60)), transport)
        let request = Task { try await next(Load.exchange()) }
        #expect(await eventually { network.listenerCount == 2 })
        request.cancel()
        #expect(await request.result.httpError?.isCancelled == true)
        #expect(transport.requests.isEmpty)
    }

    /// Fails at first, and the network turns out to be gone.
    @Test func `a request that failed for want of a network is sent again when it is back`() async throws {
        let errors: [HTTPError] = [
            .offline, .nameResolution(host: "h"), .connectionFailed(reason: "unreachable"),
        ]
        for error in errors {
            let network = StubReachability(up)
            let transport = StubTransport { [down] exchange in
                guard network.path.isSatisfied, network.path.isExpensive == nil else {
                    return .stub(for: exchange)
                }
                network.path = down
                throw error
            }
            let next = next(network, policy: .wait(atMost: .seconds(60)), transport)
            let request = Task { try await next(Load.exchange(method: .post)) }
            #expect(await eventually { network.listenerCount == 2 })
            network.path = NetworkPath(status: .satisfied, isExpensive: true)
            #expect(try await request.value.statusCode == 200)
            #expect(transport.requests.count == 2)
        }
    }

    @Test func `the limit is for all waits together`() async {
        let network = StubReachability(down)
        let clock = TestClock()
        let transport = StubTransport { [down] _ in
            network.path = down
            throw HTTPError.offline
        }
        let next = next(network, clock, policy: .wait(atMost: .seconds(60)), transport)
        let request = Task { try await next(Load.exchange()) }
        await clock.waitForSleepers()
        clock.advance(by: .seconds(40))
        network.path = up
        #expect(await eventually { transport.requests.count == 1 })
        #expect(await eventually { network.listenerCount == 2 && clock.sleeperCount == 1 })
        clock.advance(by: .seconds(20))
        #expect(await request.result.httpError?.isOffline == true)
        #expect(transport.requests.count == 1)
    }

    @Test func `other failures, a network that is there and a body read once are not waited for`() async {
        let cases: [(HTTPError, NetworkPath, RequestBody?)] = [
            (.timedOut(.idle), down, nil),
            (.connectionLost(ConnectionLoss(stage: .beforeResponse, reason: "")), down, nil),
            (.connectionFailed(reason: "refused"), up, nil), (.offline, .unknown, nil),
            (.connectionFailed(reason: "refused"), down, .oneShot(RequestBody.Chunks { nil })),
        ]
        for (error, path, body) in cases {
            let network = StubReachability(up)
            let transport = StubTransport { _ in
                network.path = path
                throw error
            }
            let next = next(network, policy: .wait(atMost: .seconds(60)), transport)
            var exchange = Load.exchange(method: .post)
            exchange.request.body = body
            let thrown = await #expect(throws: HTTPError.self) { try await next(exchange) }
            #expect(thrown?.description == error.description)
            #expect(transport.requests.count == 1)
        }
    }

    @Test(arguments: [NetworkPath.Status.unknown, .requiresConnection, .satisfied])
    func `only a path that is known to be none is waited for`(status: NetworkPath.Status) async throws {
        let transport = StubTransport { .stub(for: $0) }
        let next = next(
            StubReachability(NetworkPath(status: status)), policy: .wait(atMost: .seconds(60)), transport)
        #expect(try await next(Load.exchange()).statusCode == 200)
    }

    @Test(arguments: [
        ("localhost", true), ("LOCALHOST", true), ("localhost.", true), ("a.localhost", true), ("127.0.0.1", true),
        ("127.9.9.9", true), ("[::1]", true), ("notlocalhost", false), ("localhost.example", false),
        ("127.0.0.1.example", false), ("127.0.0.256", false), ("127.1", false), ("128.0.0.1", false),
        ("[::2]", false), ("h", false),
    ])
    func `the device itself is never waited for`(host: String, isLocal: Bool) {
        #expect(LocalHost.contains(Load.url(host)) == isLocal)
    }

    @Test func `a local request is sent while the network is down`() async throws {
        let transport = StubTransport { .stub(for: $0) }
        let next = next(StubReachability(down), policy: .wait(atMost: .seconds(60)), transport)
        #expect(try await next(Load.exchange("127.0.0.1:8080")).statusCode == 200)
    }

    @Test func `reachability alone gates nothing, and one line makes requests wait`() async throws {
        let transport = StubTransport { .stub(for: $0) }
        let network = StubReachability(down)
        let session = SessionManager(
            configuration: SessionConfiguration(reachability: network), transport: transport)
        #expect(try await session.send("http://h/").statusCode == 200)
        let options = RequestOptions(connectivity: .wait(atMost: .seconds(600)))
        let waiting = session.request(HTTPRequest(url: Load.url(), options: options))
        #expect(await eventually { network.listenerCount == 2 })
        network.path = up
        #expect(try await waiting.response().statusCode == 200)
        #expect(transport.requests.count == 2)
    }
}
