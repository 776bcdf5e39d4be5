import Foundation
import Testing
import Trunkline
import TrunklineTesting

/// Many managers, many loads, and everything that can come in between.
@MainActor
@Suite("Managers under load")
struct ManagerStressTests {
    private static let managers = 200
    /// The sanitizer makes everything some ten times slower.
    private static let loads = Sanitizer.isThread ? 1_000 : max(10_000, FuzzRounds.count(full: 10_000))

    /// Counts its living instances.
    private final class CountedAPI: TypedAPIManager<Int, JSONValue>, APIManagerProtocol {
        let alive: Protected<Int>
        var policy = ReloadPolicy.allow
        var caches = false
        /// How long its hooks wait; nil for not at all.
        var hooksWait: Duration?

        init(_ alive: Protected<Int>) {
            self.alive = alive
            alive.withLock { $0 += 1 }
            super.init()
        }

        deinit { alive.withLock { $0 -= 1 } }

        func methodName() -> String { "n" }
        func serviceIdentifier() -> ServiceIdentifier { .test }
        override func reloadPolicy() -> ReloadPolicy { policy }
        override func shouldCache() -> Bool { caches }
        override func mayCallAPI(with params: Parameters) async -> Bool { await pass() }
        override func mayPerformSuccess(with response: APIResponse) async -> Bool { await pass() }
        override func mayPerformFail(with error: APIError, response: APIResponse?) async -> Bool { await pass() }

        private func pass() async -> Bool {
            if let hooksWait { try? await Task.sleep(for: hooksWait) }
            return true
        }
    }

    /// Writes down each callback by the load it is for.
    private final class Ledger: APIManagerCallbackDelegate, APIManagerParamSource {
        var calls: [RequestID: Int] = [:]
        var number = 0
        func managerCallAPISuccess(_ manager: BaseAPIManager) { note(manager) }
        func managerCallAPIFailed(_ manager: BaseAPIManager) { note(manager) }
        func paramsForAPI(_ manager: BaseAPIManager) -> Parameters? { ["n": number % 50] }
        private func note(_ manager: BaseAPIManager) {
            if let id = manager.requestID { calls[id, default: 0] += 1 }
        }
    }

    private struct Weak {
        weak var manager: CountedAPI?
    }

    /// A place for a manager, which may be another one later.
    private struct Slot {
        var manager: CountedAPI
        var lifetime: LoadLifetime?
        /// The loads made that must call the delegate once.
        var expected: [RequestID] = []
    }

    @Test("One callback a load, none of a released manager, and nothing is left")
    func everythingAtOnceFuzz() async {
        var random = SeededRandom(seed: 34)
        let alive = Protected(0)
        let inTransport = Protected(0)
        let ledger = Ledger()
        let service = TestService()
        service.transport = StubTransport { exchange in
            inTransport.withLock { $0 += 1 }
            defer { inTransport.withLock { $0 -= 1 } }
            let number = Int(exchange.request.url.query?.split(separator: "=").last ?? "") ?? 0
            if number % 3 == 0 { try await Task.sleep(for: .microseconds(100 * number)) }
            switch number % 7 {
            case 0: throw HTTPError.offline
            case 1: return .stub(for: exchange, status: 404, json: "{}")
            default: return .stub(for: exchange, json: "\(number)")
            }
        }
        let factory = ServiceFactory()
        factory.register(.test) { service }

        var everyone: [Weak] = []
        func make() -> Slot {
            let manager = CountedAPI(alive)
            everyone.append(Weak(manager: manager))
            manager.serviceFactory = factory
            manager.delegate = ledger
            manager.paramSource = ledger
            manager.policy = [.allow, .cancelPrevious, .queue, .allow][random.below(4)]
            manager.caches = random.below(4) == 0
            manager.hooksWait = [nil, nil, .zero, .milliseconds(1)][random.below(4)]
            return Slot(manager: manager)
        }

        var slots = (0..<Self.managers).map { _ in make() }
        /// Loads whose managers or owners went away, which may have called before that, and never after.
        var orphaned: Set<RequestID> = []
        var completions = 0
        var completed = 0
        var (made, round) = (0, 0)
        while made < Self.loads {
            round += 1
            let index = random.below(slots.count)
            ledger.number = random.below(1000)
            switch random.below(20) {
            case 0..<12:
                made += 1
                if let id = slots[index].manager.loadData() { slots[index].expected.append(id) }
            case 12..<14:
                made += 1
                completions += 1
                let id = slots[index].manager.loadValue { _ in completed += 1 }
                if let id { slots[index].expected.append(id) }
            case 14:
                slots[index].manager.cancelAllRequests()
            case 15:
                if let id = slots[index].expected.last { slots[index].manager.cancelRequest(id) }
            case 16:
                // Released, unless a closure keeps it until its end.
                orphaned.formUnion(slots[index].expected)
                slots[index] = make()
            case 17:
                // The owner of before goes, and its loads with it.
                if slots[index].lifetime != nil { orphaned.formUnion(slots[index].expected) }
                let lifetime = LoadLifetime()
                slots[index].manager.bind(to: lifetime)
                slots[index].lifetime = lifetime
            case 18:
                guard slots[index].lifetime != nil else { break }
                orphaned.formUnion(slots[index].expected)
                slots[index].lifetime = nil
                slots[index].manager.unbind()
            default:
                service.userIdentifier = ["a", "b", nil][random.below(3)]
            }
            if round % 25 == 0 { await Task.yield() }
        }

        let over = await eventually {
            completed == completions && slots.allSatisfy { !$0.manager.isLoading } && inTransport.current == 0
        }
        #expect(over, "\(completed) of \(completions) completions, \(inTransport.current) in the transport")
        for slot in slots {
            for id in slot.expected where !orphaned.contains(id) {
                #expect(ledger.calls[id] == 1, "\(id) was told of \(ledger.calls[id] ?? 0) times")
            }
        }
        #expect(ledger.calls.values.allSatisfy { $0 == 1 })
        #expect(await eventually { alive.current == slots.count }, "\(alive.current) managers live")
        slots = []
        #expect(await eventually { alive.current == 0 }, "\(alive.current) managers are left")
        #expect(everyone.count > Self.managers && everyone.allSatisfy { $0.manager == nil })
        #expect(service.session.activeRequests.isEmpty)
        #expect(completed == completions && made == Self.loads)
    }
}
