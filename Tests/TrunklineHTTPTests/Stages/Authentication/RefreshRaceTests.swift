import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

/// What happens when something else happens meanwhile. The transport is a stub, so that the moments are exact.
@Suite("Refreshes and what comes in between")
struct RefreshRaceTests {
    /// Answers 200 to "Bearer new", 401 to the rest.
    let stub = StubTransport {
        .stub(for: $0, status: $0.request.headers["Authorization"] == "Bearer new" ? 200 : 401)
    }

    func authentication(
        _ credential: Token? = .old, limits: RefreshLimits = RefreshLimits(), requiresCredential: Bool = true,
        clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date = { Date() },
        _ work: @escaping TokenAuthenticator.Work
    ) -> RefreshingAuthentication<TokenAuthenticator> {
        RefreshingAuthentication(
            TokenAuthenticator(work), credential: credential, origins: ["http://h", "http://g"],
            requiresCredential: requiresCredential, limits: limits, clock: clock, now: now)
    }

    func tokens(_ transport: StubTransport) -> [String] {
        transport.requests.map { $0.headers["Authorization"] ?? "none" }
    }

    @Test("A refusal of an older credential is sent again with the current one, with no refresh")
    func olderCredential() async throws {
        let gate = LoopbackGate()
        let transport = StubTransport { exchange in
            if exchange.request.headers["Authorization"] == "Bearer new" { return .stub(for: exchange) }
            try await gate.wait()
            return .stub(for: exchange, status: 401)
        }
        let authentication = authentication { _, _, _ in
            Issue.record("refreshed")
            return .new
        }
        let session = SessionManager.with(authentication, transport: transport)
        let request = session.request("http://h/")
        #expect(await eventually { gate.waiting == 1 })
        authentication.setCredential(.new)
        gate.open()
        #expect(try await request.response().statusCode == 200)
        #expect(tokens(transport) == ["Bearer old", "Bearer new"])
    }

    @Test("A log-out during the refresh fails who waits, and the result is thrown away")
    func logOutDuringRefresh() async throws {
        let gate = LoopbackGate()
        let cancelled = Collector<Bool>()
        let authentication = authentication { _, _, _ in
            do { try await gate.wait() } catch { cancelled.add(true) }
            return .new
        }
        let session = SessionManager.with(authentication, transport: stub)
        let requests = (0..<5).map { _ in session.request("http://h/") }
        #expect(await eventually { gate.waiting == 1 && authentication.waiterCount == 5 })
        authentication.logOut()
        for request in requests {
            let error = await #expect(throws: HTTPError.self) { try await request.response() }
            #expect(error?.authenticationFailure?.reason == .loggedOut)
        }
        gate.open()
        #expect(await eventually { cancelled.count == 1 })
        #expect(authentication.credential == nil)
        let later = await session.failure(of: "http://h/")
        #expect(later?.authenticationFailure?.reason == .noCredential)
        #expect(!tokens(stub).contains("Bearer new"))
    }

    @Test("What began before a log-out is not sent again as the next user")
    func otherUser() async throws {
        let gate = LoopbackGate()
        let transport = StubTransport { exchange in
            try await gate.wait()
            return .stub(for: exchange, status: 401)
        }
        let authentication = authentication { _, _, _ in .new }
        let session = SessionManager.with(authentication, transport: transport)
        let request = session.request("http://h/")
        #expect(await eventually { gate.waiting == 1 })
        authentication.logOut()
        authentication.setCredential(.new)
        gate.open()
        let error = await #expect(throws: HTTPError.self) { try await request.response() }
        #expect(error?.authenticationFailure?.reason == .loggedOut)
        #expect(error?.response?.statusCode == 401)
        #expect(tokens(transport) == ["Bearer old"])
    }

    @Test("A log-in during the refresh goes to who waits")
    func logInDuringRefresh() async throws {
        let gate = LoopbackGate()
        let authentication = authentication { _, _, _ in
            try? await gate.wait()
            return Token(text: "late")
        }
        let session = SessionManager.with(authentication, transport: stub)
        let request = session.request("http://h/")
        #expect(await eventually { gate.waiting == 1 })
        authentication.setCredential(.new)
        #expect(try await request.response().statusCode == 200)
        #expect(await eventually { gate.waiting == 0 })
        #expect(authentication.credential == .new)
    }

    @Test("Cancelling one that waits ends that one; the refresh goes on")
    func cancelOne() async throws {
        let gate = LoopbackGate()
        let authentication = authentication { _, _, _ in
            try await gate.wait()
            return .new
        }
        let session = SessionManager.with(authentication, transport: stub)
        let requests = (0..<10).map { _ in session.request("http://h/") }
        #expect(await eventually { gate.waiting == 1 && stub.requests.count >= 1 })
        for request in requests.prefix(9) { request.cancel() }
        for request in requests.prefix(9) {
            let error = await #expect(throws: HTTPError.self) { try await request.response() }
            guard case .cancelled? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        gate.open()
        #expect(try await requests[9].response().statusCode == 200)
        #expect(authentication.credential == .new)
    }

    @Test("A refresh nobody waits for any more still brings its token")
    func nobodyWaits() async throws {
        let gate = LoopbackGate()
        let authentication = authentication { _, _, _ in
            try await gate.wait()
            return .new
        }
        let session = SessionManager.with(authentication, transport: stub)
        let request = session.request("http://h/")
        #expect(await eventually { gate.waiting == 1 })
        request.cancel()
        await #expect(throws: HTTPError.self) { try await request.response() }
        gate.open()
        #expect(await eventually { authentication.credential == .new })
    }

    @Test("A replay that is refused again stands as its 401")
    func refusedReplay() async throws {
        let transport = StubTransport { .stub(for: $0, status: 401) }
        let count = Collector<Int>()
        let authentication = authentication { _, _, _ in
            count.add(1)
            return Token(text: "\(count.count)")
        }
        let session = SessionManager.with(authentication, transport: transport)
        let error = await session.failure(of: "http://h/")
        guard case .validation(let failure)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.response.statusCode == 401)
        #expect(tokens(transport) == ["Bearer old", "Bearer 1"])
        #expect(count.count == 1)
    }

    @Test("Refreshes in a short time are limited, and possible again later")
    func limit() async throws {
        let transport = StubTransport { .stub(for: $0, status: 401) }
        let count = Collector<Int>()
        let time = Protected(Date(timeIntervalSince1970: 0))
        let authentication = authentication(
            limits: RefreshLimits(count: 3, window: .seconds(10)), now: { time.current }
        ) { _, _, _ in
            count.add(1)
            return Token(text: "\(count.count)")
        }
        let session = SessionManager.with(authentication, transport: transport)
        for _ in 0..<3 {
            #expect(await session.failure(of: "http://h/")?.authenticationFailure == nil)
        }
        let limited = await session.failure(of: "http://h/")
        #expect(limited?.authenticationFailure?.reason == .tooManyRefreshes)
        #expect(limited?.authenticationFailure?.endsSession == false)
        #expect(count.count == 3)
        time.withLock { $0 += 10 }
        #expect(await session.failure(of: "http://h/")?.authenticationFailure == nil)
        #expect(count.count == 4)
    }

    @Test("A refresh that takes too long is cancelled and fails")
    func timeout() async throws {
        let clock = TestClock()
        let cancelled = Collector<Bool>()
        let authentication = authentication(limits: RefreshLimits(timeout: .seconds(30)), clock: clock) { _, _, _ in
            do { try await LoopbackGate().wait() } catch { cancelled.add(true) }
            return .new
        }
        let session = SessionManager.with(authentication, transport: stub)
        let request = session.request("http://h/")
        await clock.waitForSleepers()
        clock.advance(by: .seconds(30))
        let error = await #expect(throws: HTTPError.self) { try await request.response() }
        #expect(error?.authenticationFailure?.reason == .refreshFailed)
        #expect(await eventually { cancelled.count == 1 })
        #expect(authentication.credential == .old)
    }

    @Test("Cancels, log-outs, log-ins and refreshes in any order: each request ends once")
    func disorder() async throws {
        for round in 0..<(Sanitizer.isThread ? 20 : 100) {
            let count = Protected(0)
            let transport = StubTransport { exchange in
                let current = "Bearer \(count.current)"
                return .stub(for: exchange, status: exchange.request.headers["Authorization"] == current ? 200 : 401)
            }
            let authentication = authentication(
                Token(text: "-1"), limits: RefreshLimits(count: .max)
            ) { _, _, _ in
                await Task.yield()
                return Token(
                    text: "\(count.withLock { count in count += 1; return count })")
            }
            let session = SessionManager.with(authentication, transport: transport)
            let ends = Collector<RequestID>()
            var random = SeededRandom(seed: UInt64(round))
            for _ in 0..<40 {
                let request = session.request("http://h/")
                request.onResponse(on: .global()) { _ in ends.add(request.id) }
                switch random.below(6) {
                case 0: request.cancel()
                case 1: authentication.logOut()
                case 2: authentication.setCredential(Token(text: "\(count.current)"))
                case 3: await Task.yield()
                default: break
                }
            }
            #expect(await eventually { ends.count == 40 })
            #expect(Set(ends.all).count == 40)
            #expect(session.activeRequests.isEmpty)
        }
    }
}
