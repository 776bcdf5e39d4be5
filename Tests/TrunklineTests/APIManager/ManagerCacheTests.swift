import Foundation
import Testing
import Trunkline
import TrunklineTesting

/// Cases A32 and A33 through a manager.
@Suite @MainActor struct ManagerCacheTests {
    private func caching(_ answer: @escaping StubTransport.Answer = { .stub(for: $0, json: "{}") }) -> Rig<TestAPI> {
        let api = TestAPI()
        api.caches = true
        return Rig(api, answer)
    }

    private func load(_ rig: Rig<TestAPI>, cacheOnly: Bool = false) async -> APIErrorType {
        let before = rig.screen.ends.count
        if cacheOnly { rig.manager.loadCacheData() } else { rig.manager.loadData() }
        #expect(await eventually { rig.screen.ends.count == before + 1 })
        return rig.manager.errorType
    }

    /// The store happens before the callback.
    private func stored(_ rig: Rig<TestAPI>, _ count: Int) async -> Bool {
        await rig.service.cache.statistics.stores == count
    }

    @Test func `the second load is answered from the cache, through validator and interceptors`() async {
        let rig = caching()
        rig.service.params = ["token_v": "3"]
        #expect(await load(rig) == .success)
        #expect(await stored(rig, 1))
        rig.screen.log = []
        #expect(await load(rig) == .success)
        #expect(rig.stub.requests.count == 1)
        #expect(rig.manager.response?.isCache == true)
        #expect(
            rig.screen.log == [
                "params", "shouldCall", "validate params", "validate data", "beforeSuccess", "success", "afterSuccess",
            ])
    }

    @Test func `a cached load has an identity, is asynchronous and can be cancelled`() async throws {
        let rig = caching()
        _ = await load(rig)
        #expect(await stored(rig, 1))
        let id = try #require(rig.manager.loadData())
        #expect(rig.screen.ends.count == 1)
        rig.manager.cancelRequest(id)
        #expect(await eventually { rig.screen.ends.count == 2 })
        #expect(rig.screen.ends.last?.type == .cancelled)
    }

    @Test func `what must not be served from the cache is not`() async {
        let rig = caching()
        _ = await load(rig)
        #expect(await stored(rig, 1))
        var expected = 1
        func misses(_ what: String, _ change: () -> Void) async {
            change()
            _ = await load(rig)
            expected += 1
            #expect(rig.stub.requests.count == expected, "\(what) was served from the cache")
        }
        await misses("another parameter") { rig.screen.params = ["a": 1] }
        await misses("another endpoint") { rig.manager.method = "other" }
        await misses("another environment") { rig.service.isProductionEnvironment = false }
        await misses("another user") { rig.service.userIdentifier = "b" }
        await misses("another token") { rig.service.headers = ["X-Token": "b"] }
        await misses("a mutation") { rig.manager.verb = .post }
        await misses("a second mutation") {}
    }

    @Test func `refused, failed and error answers are not stored`() async {
        let status = Protected(200)
        let rig = caching { .stub(for: $0, status: status.current, json: "{}") }
        rig.screen.dataVerdict = { _ in .invalid("no") }
        _ = await load(rig)
        rig.screen.dataVerdict = { _ in .valid }
        status.withLock { $0 = 404 }
        #expect(await load(rig) != .success)
        status.withLock { $0 = 200 }
        _ = await load(rig)
        #expect(rig.stub.requests.count == 3)
    }

    @Test func `loadCacheData ignores the age and never sends`() async {
        final class Stale: TestAPI {
            override func cacheLifetime(for service: Service) -> Duration { .zero }
        }
        let rig = Rig(Stale() as TestAPI) { .stub(for: $0, json: "{}") }
        rig.manager.caches = true
        #expect(await load(rig, cacheOnly: true) == .noContent)
        #expect(rig.stub.requests.isEmpty)
        _ = await load(rig)
        #expect(await stored(rig, 1))
        #expect(await load(rig, cacheOnly: true) == .success)
        _ = await load(rig)
        #expect(rig.stub.requests.count == 2, "a lifetime of zero is never fresh")
    }

    @Test func `clearing the partition forgets, also what is still in flight`() async {
        let rig = caching()
        _ = await load(rig)
        #expect(await stored(rig, 1))
        await rig.service.clearCache()
        _ = await load(rig)
        #expect(rig.stub.requests.count == 2)

        let gate = Protected(false)
        let slow = caching { exchange in
            while !gate.current { try await Task.sleep(for: .milliseconds(1)) }
            return .stub(for: exchange, json: "{}")
        }
        slow.manager.loadData()
        #expect(await eventually { slow.stub.requests.count == 1 })
        await slow.service.clearCache()
        gate.withLock { $0 = true }
        #expect(await eventually { slow.screen.ends.count == 1 })
        #expect(await load(slow, cacheOnly: true) == .noContent)
    }
}
