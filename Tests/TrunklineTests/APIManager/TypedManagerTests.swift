import Foundation
import Observation
import Testing
import Trunkline
import TrunklineTesting

@MainActor
@Suite("Typed managers")
struct TypedManagerTests {
    struct Book: Codable, Equatable, Sendable { let title: String }
    struct Problem: Codable, Equatable, Sendable, UserMessageProviding {
        let hint: String
        var userMessage: String? { hint.isEmpty ? nil : hint }
    }

    class BookAPI: TypedAPIManager<Book, Problem>, APIManagerProtocol {
        var caches = false
        func methodName() -> String { "book" }
        func serviceIdentifier() -> ServiceIdentifier { .test }
        override func shouldCache() -> Bool { caches }
    }

    private nonisolated static let emma = #"{"title":"Emma"}"#

    @Test("The same load by await, by closure and by delegate")
    func threeWays() async throws {
        let rig = Rig(BookAPI()) { .stub(for: $0, json: Self.emma) }
        #expect(rig.manager.value == nil)
        #expect(try await rig.manager.loadValue() == Book(title: "Emma"))
        var heard: [Book?] = []
        rig.manager.loadValue { heard.append(try? $0.get()) }
        #expect(await eventually { heard == [Book(title: "Emma")] })
        rig.screen.onEnd = { manager in heard.append((manager as? BookAPI)?.value) }
        rig.manager.loadData()
        #expect(await eventually { heard.count == 2 })
        #expect(heard.last == Book(title: "Emma") && rig.manager.errorType == .success)
        // The untyped front doors are still there.
        #expect(try await rig.manager.load().json?["title"] == "Emma")
    }

    @Test("A failure brings the server's own error, and the value of before stays")
    func serverError() async throws {
        let answer = Protected((200, Self.emma))
        let rig = Rig(BookAPI()) { .stub(for: $0, status: answer.current.0, json: answer.current.1) }
        _ = try await rig.manager.loadValue()
        answer.withLock { $0 = (422, #"{"hint":"Spell it right."}"#) }
        let error = await #expect(throws: APIError.self) { try await rig.manager.loadValue() }
        #expect(error?.type == .serverError(status: 422, body: Data(#"{"hint":"Spell it right."}"#.utf8)))
        #expect(error?.serverError(as: Problem.self) == Problem(hint: "Spell it right."))
        #expect(error?.message == "Spell it right.")
        #expect(rig.manager.serverError == Problem(hint: "Spell it right."))
        #expect(rig.manager.value == Book(title: "Emma") && rig.manager.error != nil)
        // Not what was promised: no server error, and the failure stays what it is.
        answer.withLock { $0 = (500, "[]") }
        let second = await #expect(throws: APIError.self) { try await rig.manager.loadValue() }
        #expect(second?.serverError(as: Problem.self) == nil && rig.manager.serverError == nil)
        rig.manager.forgetResults()
        #expect(rig.manager.value == nil && rig.manager.error == nil && rig.manager.errorType == .default)
    }

    @Test("An answer that can't be decoded is no success and is not cached")
    func undecodable() async {
        let rig = Rig(BookAPI()) { .stub(for: $0, json: #"{"name":"Emma"}"#) }
        rig.manager.caches = true
        for _ in 0..<2 {
            let error = await #expect(throws: APIError.self) { try await rig.manager.loadValue() }
            #expect(error?.type == .invalidContent)
            #expect(error?.reason.contains("title") == true)
        }
        #expect(rig.stub.requests.count == 2)
        // What the validator says goes before.
        rig.screen.dataVerdict = { _ in .invalid("No.") }
        let error = await #expect(throws: APIError.self) { try await rig.manager.loadValue() }
        #expect(error?.type == .noContent && error?.message == "No.")
    }

    @Test("A cached answer is decoded too")
    func cached() async throws {
        let rig = Rig(BookAPI()) { .stub(for: $0, json: Self.emma) }
        rig.manager.caches = true
        for _ in 0..<3 { #expect(try await rig.manager.loadValue() == Book(title: "Emma")) }
        #expect(rig.stub.requests.count == 1)
    }

    @Test("An optional model takes an answer without content, others don't")
    func emptyAnswers() async throws {
        final class MaybeAPI: TypedAPIManager<Book?, NoContent>, APIManagerProtocol {
            func methodName() -> String { "book" }
            func serviceIdentifier() -> ServiceIdentifier { .test }
        }
        let maybe = Rig(MaybeAPI()) { .stub(for: $0, status: 204) }
        #expect(try await maybe.manager.loadValue() == nil)
        let rig = Rig(BookAPI()) { .stub(for: $0, status: 204) }
        let error = await #expect(throws: APIError.self) { try await rig.manager.loadValue() }
        #expect(error?.type == .noContent)
    }

    @Test("A late answer doesn't overwrite the value of a newer load")
    func staleAnswers() async throws {
        let isOpen = Protected(false)
        let number = Protected(0)
        let rig = Rig(BookAPI()) { exchange in
            let mine = number.withLock { number in
                number += 1
                return number
            }
            while mine == 1, !isOpen.current { try await Task.sleep(for: .milliseconds(1)) }
            return .stub(for: exchange, json: #"{"title":"\#(mine)"}"#)
        }
        var late: Book?
        rig.manager.loadValue { late = try? $0.get() }
        #expect(await eventually { rig.stub.requests.count == 1 })
        #expect(try await rig.manager.loadValue() == Book(title: "2"))
        isOpen.withLock { $0 = true }
        #expect(await eventually { late == Book(title: "1") })
        #expect(rig.manager.value == Book(title: "2"))
    }

    /// Writes down where it is called.
    private struct WatchingDecoder: DataDecoder {
        let onMain: Protected<[Bool]>
        func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
            onMain.withLock { $0.append(Thread.isMainThread) }
            return try JSONDecoder().decode(type, from: data)
        }
    }

    @Test("Values and errors are decoded off the main actor")
    func decodingPlace() async throws {
        final class Watched: BookAPI {
            let onMain = Protected<[Bool]>([])
            override func decoder() -> any DataDecoder { WatchingDecoder(onMain: onMain) }
        }
        let status = Protected(200)
        let rig = Rig(Watched()) { .stub(for: $0, status: status.current, json: Self.emma) }
        _ = try await rig.manager.loadValue()
        status.withLock { $0 = 404 }
        _ = try? await rig.manager.loadValue()
        #expect(rig.manager.onMain.current == [false, false])
    }

    // MARK: - Watching

    /// Counts how often what `read` reads is told to change.
    private func changes(_ count: Protected<Int>, _ read: @escaping @MainActor () -> Void) {
        withObservationTracking(read) { count.withLock { $0 += 1 } }
    }

    @Test("isLoading, value and error are observable")
    func observation() async throws {
        let status = Protected(200)
        let rig = Rig(BookAPI()) { .stub(for: $0, status: status.current, json: Self.emma) }
        let manager = rig.manager
        let counts = (loading: Protected(0), value: Protected(0), error: Protected(0))
        changes(counts.loading) { _ = manager.isLoading }
        changes(counts.value) { _ = manager.value }
        changes(counts.error) { _ = manager.error }
        manager.loadData()
        #expect(counts.loading.current == 1 && counts.value.current == 0 && counts.error.current == 0)
        changes(counts.loading) { _ = manager.isLoading }
        #expect(await eventually { rig.screen.ends.count == 1 })
        #expect(counts.loading.current == 2 && counts.value.current == 1 && counts.error.current == 1)
        status.withLock { $0 = 500 }
        changes(counts.value) { _ = manager.value }
        changes(counts.error) { _ = manager.errorMessage }
        manager.loadData()
        #expect(await eventually { rig.screen.ends.count == 2 })
        #expect(counts.error.current == 2)
        #expect(manager.value == Book(title: "Emma"))
    }

    @Test("states tells of every load in order, and ends with the manager")
    func states() async throws {
        let status = Protected(200)
        var rig: Rig<BookAPI>? = Rig(BookAPI()) { .stub(for: $0, status: status.current, json: Self.emma) }
        let states = try #require(rig?.manager.states)
        let ids = Protected<[RequestID?]>([])
        for code in [200, 404] {
            status.withLock { $0 = code }
            let before = rig?.screen.ends.count ?? 0
            let id = rig?.manager.loadData()
            ids.withLock { $0.append(id) }
            #expect(await eventually { rig?.screen.ends.count == before + 1 })
        }
        rig?.screen.paramsVerdict = .invalid("No.")
        rig?.manager.loadData()
        #expect(await eventually { rig?.screen.ends.count == 3 })
        rig = nil
        var words: [String] = []
        var seen: [RequestID?] = []
        for await state in states {
            seen.append(state.requestID)
            switch state {
            case .idle: words.append("idle")
            case .loading: words.append("loading")
            case .succeeded: words.append("succeeded")
            case .failed(_, let error): words.append("failed \(error.type)")
            }
        }
        #expect(
            words == [
                "idle", "loading", "succeeded", "loading", "failed serverError(404)", "failed paramsError",
            ])
        #expect(Array(seen[1...4]) == ids.current.flatMap { [$0, $0] })
    }
}
