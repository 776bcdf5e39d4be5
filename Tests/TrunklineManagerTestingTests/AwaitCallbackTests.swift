import Foundation
import Testing
import TrunklineManagerTesting

@MainActor
@Suite("Awaiting a manager's callback")
struct AwaitCallbackTests {
    final class Shop: Service {
        var stubs = StubTransport()
        var swallows = false
        lazy var stubbed = SessionManager(transport: stubs)
        override var environments: [ServiceEnvironment] {
            [
                ServiceEnvironment(.production, baseURL: "https://api.test", apiVersion: "v1"),
                ServiceEnvironment(.development, baseURL: "https://dev.test", apiVersion: "v1"),
            ]
        }
        override var session: SessionManager { stubbed }
        override func shouldCallBackByFailedOnCallingAPI(_ error: APIError, response: APIResponse?) -> Bool {
            !swallows
        }
    }

    final class ItemAPI: BaseAPIManager, APIManagerProtocol {
        func methodName() -> String { "items" }
        func serviceIdentifier() -> ServiceIdentifier { "shop" }
    }

    final class Screen: APIManagerCallbackDelegate {
        var words: [String] = []
        func managerCallAPISuccess(_ manager: BaseAPIManager) { words.append("success") }
        func managerCallAPIFailed(_ manager: BaseAPIManager) { words.append("failed") }
    }

    let shop = Shop()
    let manager = ItemAPI()

    init() {
        let factory = ServiceFactory()
        factory.register("shop") { [shop] in shop }
        manager.serviceFactory = factory
    }

    @Test("Success and failure are awaited; the delegate hears them too, and is put back")
    func awaits() async throws {
        let screen = Screen()
        manager.delegate = screen
        shop.stubs.when(.get, "/v1/items", answers: [.json(#"{"n":1}"#), .status(500)], then: .repeatsLast)
        let response = try await manager.awaitSuccess()
        #expect(response.data == Data(#"{"n":1}"#.utf8))
        let error = try await manager.awaitFailure()
        guard case .serverError(500, _) = error.type else {
            Issue.record("\(error)")
            return
        }
        #expect(screen.words == ["success", "failed"])
        #expect(manager.delegate === screen)
        let callback = try await manager.awaitCallback { $0.loadCacheData() }
        #expect(callback.errorType == .noContent)
        await #expect(throws: TestFailure.self) { try await manager.awaitSuccess() }
    }

    @Test("A callback that never comes is a failure at the limit, with its place")
    func limit() async throws {
        let clock = TestClock()
        shop.swallows = true
        shop.stubs.when(answer: .status(500))
        let waiting = Task { try await manager.awaitCallback(within: .seconds(5), clock: clock) }
        await clock.waitForSleepers()
        clock.advance(by: .seconds(5))
        let failure = await #expect(throws: TestFailure.self) { try await waiting.value }
        #expect(failure?.description.contains("AwaitCallbackTests.swift") == true)
        #expect(failure?.description.contains("No callback came within 5.0 seconds") == true)
        #expect(manager.delegate == nil)
    }

    @Test("Cancelling ends the wait")
    func cancelling() async throws {
        let clock = TestClock()
        shop.stubs.when(answer: .never)
        let waiting = Task { try await manager.awaitCallback(within: .seconds(5), clock: clock) }
        await clock.waitForSleepers()
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        manager.cancelAllRequests()
    }

    @Test("A probe gives callbacks in order, those heard before it is asked too")
    func probe() async throws {
        let probe = CallbackProbe()
        manager.delegate = probe
        shop.stubs.when(answers: [.json("{}"), .status(500), .json("[]")], then: .fails)
        for _ in 0..<2 {
            manager.loadData()
            #expect(await eventually { !manager.isLoading })
        }
        let first = try await probe.next()
        let second = try await probe.next()
        #expect(first.isSuccess && !second.isSuccess && probe.callbacks.count == 2)
        manager.loadData()
        #expect(try await probe.next().isSuccess)
        #expect(probe.callbacks.count == 3)
    }

    /// Polls until the condition holds.
    private func eventually(_ condition: () -> Bool) async -> Bool {
        let deadline = ContinuousClock.now + .seconds(150)
        while !condition(), ContinuousClock.now < deadline { try? await Task.sleep(for: .milliseconds(2)) }
        return condition()
    }
}
