import Foundation
import Testing
import Trunkline
import TrunklineTesting

/// Cancelling, overlapping, releasing: every load its own state, every load one end.
@Suite @MainActor struct LoadLifeTests {
    /// Answers in the order the test opens the gates, by the `n` of the query.
    private final class Gates: Sendable {
        private let open = Protected<Set<Int>>([])
        func open(_ number: Int) { open.withLock { _ = $0.insert(number) } }
        func answer(_ exchange: Exchange) async throws -> HTTPResponse {
            let query = exchange.request.url.query ?? ""
            let number = Int(query.split(separator: "=").last ?? "") ?? 0
            while !open.withLock({ $0.contains(number) }) { try await Task.sleep(for: .milliseconds(1)) }
            return .stub(for: exchange, json: "\(number)")
        }
    }

    private func overlapping(_ policy: ReloadPolicy) -> (Rig<TestAPI>, Gates) {
        let gates = Gates()
        let api = TestAPI()
        api.policy = policy
        return (Rig(api) { try await gates.answer($0) }, gates)
    }

    private func load(_ rig: Rig<TestAPI>, _ number: Int) -> RequestID? {
        rig.screen.params = ["n": number]
        return rig.manager.loadData()
    }

    @Test func `a late answer doesn't overwrite a newer one`() async throws {
        let (rig, gates) = overlapping(.allow)
        let first = try #require(load(rig, 1))
        let second = try #require(load(rig, 2))
        var seen: [JSONValue?] = []
        rig.screen.onEnd = { seen.append($0.response?.json) }
        gates.open(2)
        #expect(await eventually { rig.screen.ends.count == 1 })
        #expect(rig.manager.isLoading && rig.manager.loadingRequestIDs == [first])
        gates.open(1)
        #expect(await eventually { rig.screen.ends.count == 2 })
        // In its own callback each load shows its own answer; afterwards the newest stays.
        #expect(seen == [2, 1])
        #expect(rig.screen.ends.map(\.id) == [second, first])
        #expect(rig.manager.response?.json == 2 && rig.manager.requestID == second)
    }

    @Test func `cancelPrevious ends the former load as cancelled`() async {
        let (rig, gates) = overlapping(.cancelPrevious)
        let first = load(rig, 1)
        let second = load(rig, 2)
        gates.open(1)
        gates.open(2)
        #expect(await eventually { rig.screen.ends.count == 2 })
        #expect(rig.screen.ends.first { $0.id == first }?.type == .cancelled)
        #expect(rig.screen.ends.first { $0.id == second }?.type == .success)
        #expect(rig.manager.errorType == .success)
    }

    @Test func `ignoreNew and share make no second request`() async {
        for policy in [ReloadPolicy.ignoreNew, .share] {
            let (rig, gates) = overlapping(policy)
            let first = load(rig, 1)
            #expect(load(rig, 1) == (policy == .share ? first : nil))
            async let shared = rig.manager.load()
            gates.open(1)
            #expect(await eventually { rig.screen.ends.count == 1 })
            _ = try? await shared
            #expect(rig.stub.requests.count == 1 && rig.screen.ends.count == 1)
        }
    }

    @Test func `queue sends one after the other`() async {
        let (rig, gates) = overlapping(.queue)
        _ = load(rig, 1)
        _ = load(rig, 2)
        #expect(await eventually { rig.stub.requests.count == 1 })
        gates.open(2)
        gates.open(1)
        #expect(await eventually { rig.screen.ends.count == 2 })
        #expect(rig.stub.requests.map(\.url.query) == ["n=1", "n=2"])
    }

    @Test func `cancel ends the load once, as cancelled, whatever arrives`() async {
        for _ in 0..<50 {
            let (rig, gates) = overlapping(.allow)
            gates.open(1)
            if let id = load(rig, 1) {
                if Bool.random() { try? await Task.sleep(for: .microseconds(Int.random(in: 0..<2000))) }
                let ended = !rig.screen.ends.isEmpty
                rig.manager.cancelRequest(id)
                rig.manager.cancelRequest(id)
                #expect(await eventually { rig.screen.ends.count == 1 })
                if !ended { #expect(rig.screen.ends.first?.type == .cancelled) }
            }
            #expect(!rig.manager.isLoading)
        }
    }

    @Test func `cancelAllRequests is about this manager only`() async {
        let gates = Gates()
        let rig = Rig(TestAPI()) { try await gates.answer($0) }
        let other = TestAPI()
        other.serviceFactory = rig.manager.serviceFactory
        let otherScreen = Screen()
        otherScreen.attach(other)
        otherScreen.params = ["n": 2]
        _ = load(rig, 1)
        let otherID = other.loadData()
        if let otherID { rig.manager.cancelRequest(otherID) }
        rig.manager.cancelAllRequests()
        gates.open(2)
        #expect(await eventually { rig.screen.ends.count == 1 && otherScreen.ends.count == 1 })
        #expect(rig.screen.ends.first?.type == .cancelled && otherScreen.ends.first?.type == .success)
    }

    // MARK: - Case A31

    @Test func `a released manager cancels its request and calls nobody`() async {
        for _ in 0..<50 {
            let cancelled = Protected(0)
            var rig: Rig<TestAPI>? = Rig(TestAPI()) { _ in
                defer { cancelled.withLock { $0 += Task.isCancelled ? 1 : 0 } }
                try await Task.sleep(for: .seconds(60))
                throw HTTPError.offline
            }
            weak let manager = rig?.manager
            let screen = rig?.screen
            let service = rig?.service
            let stub = rig?.stub
            rig?.manager.loadData()
            #expect(await eventually { stub?.requests.count == 1 })
            rig = nil
            #expect(await eventually(within: .seconds(20)) { manager == nil })
            #expect(await eventually { cancelled.current == 1 })
            #expect(screen?.ends.isEmpty == true && service != nil)
        }
    }

    @Test func `a released delegate drops the result, and the manager is idle again`() async {
        let gates = Gates()
        var rig: Rig<TestAPI>? = Rig(TestAPI()) { try await gates.answer($0) }
        let manager = rig?.manager
        let service = rig?.service
        rig?.screen.params = ["n": 1]
        manager?.loadData()
        rig = nil
        #expect(manager?.delegate == nil)
        gates.open(1)
        #expect(await eventually { manager?.isLoading == false })
        #expect(manager?.errorType == .success && service != nil)
    }

    @Test func `a delegate set in flight is the one that hears`() async {
        let (rig, gates) = overlapping(.allow)
        _ = load(rig, 1)
        let second = Screen()
        rig.manager.delegate = second
        gates.open(1)
        #expect(await eventually { second.ends.count == 1 })
        #expect(rig.screen.ends.isEmpty)
    }

    @Test func `a closure keeps its manager until the one call`() async {
        let gates = Gates()
        let service = TestService()
        service.transport = StubTransport { try await gates.answer($0) }
        let factory = ServiceFactory()
        factory.register(.test) { service }
        weak var weakManager: TestAPI?
        var results: [Result<APIResponse, APIError>] = []
        do {
            let manager = TestAPI()
            manager.serviceFactory = factory
            weakManager = manager
            manager.load { results.append($0) }
        }
        #expect(weakManager != nil)
        gates.open(0)
        #expect(await eventually { results.count == 1 })
        #expect(await eventually { weakManager == nil })
    }

    // MARK: - Awaiting

    @Test func `await gives the answer or the error, and cancelling the task cancels the load`() async throws {
        let (rig, gates) = overlapping(.allow)
        rig.screen.params = ["n": 1]
        gates.open(1)
        #expect(try await rig.manager.load().json == 1)
        rig.screen.params = ["n": 2]
        let manager = rig.manager
        let waiting = Task { try await manager.load() }
        #expect(await eventually { manager.isLoading })
        waiting.cancel()
        do {
            _ = try await waiting.value
            Issue.record("answered")
        } catch {
            #expect((error as? APIError)?.type == .cancelled)
        }
        rig.screen.paramsVerdict = .invalid("no")
        do throws(APIError) {
            _ = try await manager.load()
            Issue.record("answered")
        } catch {
            #expect(error.type == .paramsError && error.message == "no")
        }
    }

    /// Case A33 (ii): an answer for a user who has logged out is nobody's.
    @Test func `an answer that outlives its user ends as cancelled`() async {
        let (rig, gates) = overlapping(.allow)
        rig.manager.caches = true
        rig.service.userIdentifier = "a"
        _ = load(rig, 1)
        #expect(await eventually { rig.stub.requests.count == 1 })
        rig.service.userIdentifier = "b"
        gates.open(1)
        #expect(await eventually { rig.screen.ends.count == 1 })
        #expect(rig.screen.ends.first?.type == .cancelled && rig.manager.response == nil)
    }
}
