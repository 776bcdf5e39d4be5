import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

/// Cases A23 and A24 on a real server.
@Suite("One refresh for all")
struct RefreshTests {
    @Test("A23: ten 401s make one refresh, and each request ends once")
    func manyRefusals() async throws {
        for round in 0..<50 {
            let fixture = try TokenServer(
                gate: LoopbackGate(opensAt: 10),
                refresh: .text("new").delayed(by: .milliseconds(round.isMultiple(of: 10) ? 200 : 10)))
            let session = SessionManager.with(fixture.authentication())
            let outcomes = await session.outcomes(of: 10, fixture.data)
            #expect(outcomes.count == 10)
            #expect(outcomes.allSatisfy { (try? $0.get().data) == Data("data".utf8) })
            #expect(
                fixture.tokens == Array(repeating: "Bearer old", count: 10) + Array(repeating: "Bearer new", count: 10))
            #expect(fixture.refreshes == 1)
        }
    }

    /// On a stub: a transport has fewer connections to a host than this.
    @Test("200 refusals at once make one refresh")
    func veryMany() async throws {
        let gate = LoopbackGate(opensAt: 200)
        let transport = StubTransport { exchange in
            if exchange.request.headers["Authorization"] == "Bearer new" { return .stub(for: exchange) }
            try await gate.wait()
            return .stub(for: exchange, status: 401)
        }
        let refreshes = Collector<Token>()
        let authenticator = TokenAuthenticator { token, rejection, _ in
            refreshes.add(token)
            #expect(rejection?.statusCode == 401)
            try await Task.sleep(for: .milliseconds(20))
            return .new
        }
        let session = SessionManager.with(
            RefreshingAuthentication(authenticator, credential: .old, origins: ["http://h"]), transport: transport)
        let outcomes = await session.outcomes(of: 200, "http://h/")
        #expect(outcomes.count == 200)
        #expect(outcomes.allSatisfy { (try? $0.get().statusCode) == 200 })
        let tokens = transport.requests.map { $0.headers["Authorization"] }
        #expect(tokens == Array(repeating: "Bearer old", count: 200) + Array(repeating: "Bearer new", count: 200))
        #expect(refreshes.all == [.old])
    }

    @Test("Requests that come during a refresh wait for it, and the refusals' attempt counts")
    func parked() async throws {
        let gate = LoopbackGate()
        let fixture = try TokenServer(refresh: .text("new").held(by: gate))
        let session = SessionManager.with(fixture.authentication())
        let first = session.request(fixture.data)
        #expect(await fixture.server.waitForRequests(1, path: "/refresh", timeout: .seconds(60)))
        let later = (0..<5).map { _ in session.request(fixture.data) }
        try await Task.sleep(for: .milliseconds(50))
        #expect(fixture.tokens == ["Bearer old"])
        gate.open()
        for request in later { #expect(try await request.response().metrics?.retryCount == 0) }
        #expect(try await first.response().metrics?.retryCount == 1)
        #expect(fixture.tokens == ["Bearer old"] + Array(repeating: "Bearer new", count: 6))
    }

    @Test("A24: a refused refresh fails all with one error, sends nothing again, and is one event")
    func refusedRefresh() async throws {
        let events = Collector<AuthenticationFailure>()
        let fixture = try TokenServer(
            gate: LoopbackGate(opensAt: 10),
            refresh: .text("revoked", status: 400).delayed(by: .milliseconds(100)))
        let authentication = fixture.authentication { if case .expired(let failure) = $0 { events.add(failure) } }
        let session = SessionManager.with(authentication)
        let outcomes = await session.outcomes(of: 10, fixture.data)
        #expect(outcomes.count == 10)
        for outcome in outcomes {
            guard case .failure(let error) = outcome, let failure = error.authenticationFailure else {
                Issue.record("\(outcome)")
                continue
            }
            #expect(failure.reason == .refreshRefused && failure.endsSession)
            #expect(error.response?.statusCode == 401 && error.response?.data == Data("no".utf8))
            let refreshError = try #require(failure.underlying as? HTTPError)
            #expect(refreshError.response?.statusCode == 400)
            #expect(refreshError.response?.data == Data("revoked".utf8))
        }
        #expect(fixture.tokens == Array(repeating: "Bearer old", count: 10))
        #expect(fixture.refreshes == 1)
        #expect(await eventually { events.count == 1 })

        // Later requests fail at once, until there is a new credential.
        #expect(authentication.credential == nil)
        let later = await session.failure(of: fixture.data)
        #expect(later?.authenticationFailure?.reason == .refreshRefused)
        #expect(fixture.server.requestCount == 11)
        authentication.setCredential(.new)
        #expect(try await session.send(fixture.data).statusCode == 200)
        #expect(events.count == 1)
    }

    @Test("A24, variant: a refresh through the same session is let past, and its 401 fails all")
    func refreshThroughTheSession() async throws {
        let fixture = try TokenServer(gate: LoopbackGate(opensAt: 10), refresh: .status(401))
        let held = Protected<SessionManager?>(nil)
        let events = Collector<Bool>()
        let authenticator = TokenAuthenticator { _, _, _ in
            // A task of its own, as an app's own layers would make.
            let session = held.current
            let response = try await Task { try await session?.send(.post("\(fixture.server.baseURL)/refresh")) }.value
            return Token(text: try response?.string() ?? "")
        }
        let session = SessionManager.with(
            RefreshingAuthentication(authenticator, credential: .old, origins: [fixture.origin]) { _ in
                events.add(true)
            })
        held.withLock { $0 = session }
        defer { held.withLock { $0 = nil } }
        let start = ContinuousClock.now
        let outcomes = await session.outcomes(of: 10, fixture.data)
        #expect(ContinuousClock.now - start < patience)
        #expect(outcomes.count == 10)
        for outcome in outcomes {
            guard case .failure(let error) = outcome else {
                Issue.record("\(outcome)")
                continue
            }
            #expect(error.authenticationFailure?.reason == .refreshRefused)
            #expect((error.authenticationFailure?.underlying as? HTTPError)?.response?.statusCode == 401)
        }
        #expect(fixture.refreshes == 1 && fixture.tokens.count == 10)
        #expect(fixture.server.requests.last?.headers["Authorization"] == nil)
        #expect(await eventually { events.count == 1 })
    }

    @Test("A refresh that loses its mark waits for itself, and ends with the limit")
    func refreshThatWaitsForItself() async throws {
        let fixture = try TokenServer()
        let held = Protected<SessionManager?>(nil)
        let authenticator = TokenAuthenticator { _, _, _ in
            // Another thread and no task: the mark is gone.
            let session = held.current
            return try await withCheckedThrowingContinuation { continuation in
                DispatchQueue.global().async {
                    guard let session else { return continuation.resume(throwing: HTTPError.cancelled) }
                    session.request(.post("\(fixture.server.baseURL)/refresh")).onResponse(on: .global()) {
                        continuation.resume(with: $0.map { _ in Token.new })
                    }
                }
            }
        }
        let session = SessionManager.with(
            RefreshingAuthentication(
                authenticator, credential: .old, origins: [fixture.origin],
                limits: RefreshLimits(timeout: .milliseconds(300))))
        held.withLock { $0 = session }
        defer { held.withLock { $0 = nil } }
        let error = await session.failure(of: fixture.data)
        let failure = try #require(error?.authenticationFailure)
        #expect(failure.reason == .refreshFailed)
        guard case .timedOut(.total) = failure.underlying as? HTTPError else {
            Issue.record("\(failure)")
            return
        }
        #expect(fixture.refreshes == 0)
    }

    @Test("Trouble on the way to the refresh keeps the credential")
    func passingTrouble() async throws {
        let events = Collector<Bool>()
        let fixture = try TokenServer(refresh: .status(503))
        let authentication = fixture.authentication { _ in events.add(true) }
        let session = SessionManager.with(authentication)
        let error = await session.failure(of: fixture.data)
        #expect(error?.authenticationFailure?.reason == .refreshFailed)
        #expect(error?.authenticationFailure?.endsSession == false)
        #expect(authentication.credential == .old)
        fixture.server.route(.post, "/refresh", respond: .text("new"))
        #expect(try await session.send(fixture.data).statusCode == 200)
        #expect(fixture.refreshes == 2)
        #expect(await eventually { events.count == 1 })  // the one of the new credential
    }

    @Test("A credential that is due is refreshed before anything is sent")
    func beforeExpiry() async throws {
        let fixture = try TokenServer(refresh: .text("new"))
        let stored = Collector<Token>()
        let session = SessionManager.with(
            fixture.authentication(Token(text: "old", isDue: true)) {
                if case .refreshed(let token) = $0 { stored.add(token) }
            })
        let outcomes = await session.outcomes(of: 20, fixture.data)
        #expect(outcomes.allSatisfy { (try? $0.get().statusCode) == 200 })
        #expect(fixture.refreshes == 1)
        #expect(fixture.tokens == Array(repeating: "Bearer new", count: 20))
        #expect(await eventually { stored.all == [.new] })
    }
}
