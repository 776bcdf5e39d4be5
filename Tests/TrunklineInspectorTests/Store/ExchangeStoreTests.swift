import Foundation
import TestSupport
import Testing
import TrunklineHTTP

@testable import TrunklineInspector

@Suite("Inspector: what is kept")
struct ExchangeStoreTests {
    @Test("The number is bounded: the oldest that have ended go first")
    func count() throws {
        let store = ExchangeStore.make(exchanges: 3)
        let active = try EventMaker()
        store.receive(active.event(.created(active.request)))
        var ended: [RequestID] = []
        for _ in 0..<10 {
            let maker = try EventMaker()
            store.receive(maker.life())
            ended.append(maker.id)
        }
        #expect(store.records.map(\.id) == [active.id] + ended.suffix(2))
        // Even where none has ended.
        for _ in 0..<5 {
            let maker = try EventMaker()
            store.receive(maker.event(.created(maker.request)))
        }
        #expect(store.count == 3 && store.records.allSatisfy { $0.end == nil })
        // What comes of a request that is no longer kept is nothing.
        store.receive(active.event(.completed(.failure(.cancelled))))
        #expect(store.count == 3)
    }

    @Test("The bytes are bounded, those of one exchange with many attempts too, and the sum stays right")
    func bytes() throws {
        let store = ExchangeStore.make(exchanges: 1000, bytes: 100_000, body: 10_000)
        for _ in 0..<50 {
            store.receive(try EventMaker().life(Data(count: 30_000)))
            #expect(store.cost <= 100_000)
        }
        let cut = try #require(store.records.last?.attempts.last?.end)
        #expect(cut.response?.data.count == 10_000 && cut.contentBytes == 30_000 && !cut.isContentWhole)

        let long = try EventMaker()
        store.receive(long.life(Data(count: 30_000), attempts: 250))
        let record = try #require(store.record(long.id.value))
        #expect(record.attempts.count == ExchangeRecord.mostAttempts && record.attemptCount == 250)
        #expect(record.notes.count <= ExchangeRecord.mostNotes && record.droppedNotes > 0)
        #expect(record.cost <= 50_000 && store.cost <= 100_000)
        // The newest contents are the ones that are left.
        #expect(record.attempts.first?.isStripped == true && record.attempts.last?.isStripped == false)
        #expect(store.cost == store.records.reduce(0) { $0 + $1.cost })
        let sum = record.attempts.reduce(512 + long.request.keptCost) { $0 + $1.cost }
        #expect(record.cost == sum + (record.answer?.keptCost ?? 0))

        store.clear()
        #expect(store.count == 0 && store.cost == 0)
        // No room for anything is no error.
        let none = ExchangeStore.make(exchanges: 0, bytes: 0, body: -1)
        none.receive(try EventMaker().life(Data(count: 10)))
        #expect(none.count == 0 && none.cost == 0)
    }

    @Test("Nothing of the app's is kept alive: streams, factories, errors")
    func release() async throws {
        final class Mine: Error, Sendable {}
        let store = ExchangeStore.make()
        weak var first: Mine?
        weak var second: Mine?
        do {
            let (one, two) = (Mine(), Mine())
            (first, second) = (one, two)
            let maker = try EventMaker(
                body: .stream(length: 3) { [one] in
                    RequestBody.Chunks { withExtendedLifetime(one) { Data() } }
                })
            let attempt = Event.Attempt(number: 1, attempt: 1, request: maker.request, trace: nil)
            let stream = RequestBody.Chunks { [one] in withExtendedLifetime(one) { nil } }
            var response = maker.response()
            response.body = .stream(stream)
            for kind: Event.Kind in [
                .created(maker.request), .attemptStarted(attempt), .responseHead(attempt, response),
                .attemptEnded(
                    attempt,
                    Event.AttemptEnd(outcome: .failure(.custom(two)), contentBytes: 0, isContentWhole: true)),
                .exchangeEnded(.success(response)), .completed(.failure(.custom(two))),
            ] { store.receive(maker.event(kind)) }
        }
        #expect(store.count == 1)
        #expect(first == nil && second == nil)
    }

    @Test("A reader gets what changed since it looked, and everything when it is too far behind")
    func changes() throws {
        let store = ExchangeStore.make(exchanges: 5)
        let start = store.changes(since: 0)
        #expect(start.isWhole && start.records.isEmpty)
        let makers = try (0..<4).map { _ in try EventMaker() }
        for maker in makers { store.receive(maker.life()) }
        let all = store.changes(since: start.revision)
        #expect(all.records.map(\.id) == makers.map(\.id))
        let later = try EventMaker()
        store.receive(later.event(.created(later.request)))
        let news = store.changes(since: all.revision)
        #expect(!news.isWhole && news.records.map(\.id) == [later.id] && news.removed.isEmpty)
        #expect(store.changes(since: news.revision).records.isEmpty)
        store.clear()
        let cleared = store.changes(since: news.revision)
        #expect(Set(cleared.removed) == Set(makers.map(\.id)) && cleared.records.isEmpty && !cleared.isWhole)
        // Another inspector's revision, or none at all.
        for revision in [Int.max, -1, .min] { #expect(store.changes(since: revision).isWhole) }
        // More removals than are remembered.
        for _ in 0..<1100 { store.receive(try EventMaker().life()) }
        #expect(store.changes(since: cleared.revision).isWhole)
    }

    @Test("Many threads: every record whole, the sum of bytes right")
    func race() async throws {
        let store = ExchangeStore.make(exchanges: 40, bytes: 200_000, body: 4000)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<6 {
                group.addTask {
                    for round in 0..<60 {
                        store.receive(try EventMaker().life(Data(count: (worker * 997 + round * 131) % 6000)))
                        if round % 20 == 19 { store.clear() }
                        _ = store.changes(since: round)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(store.cost == store.records.reduce(0) { $0 + $1.cost } && store.cost <= 200_000)
        #expect(store.records.allSatisfy { $0.end != nil && $0.attempts.count == 1 })
        store.clear()
        #expect(store.count == 0 && store.cost == 0)
    }
}
