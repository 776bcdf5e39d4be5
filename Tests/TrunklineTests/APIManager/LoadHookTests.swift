import Foundation
import Testing
import Trunkline
import TrunklineTesting

/// Hooks that may wait: their order, their vetoes, and what a cancel, a log-in and an owner's end do meanwhile.
@Suite @MainActor struct LoadHookTests {
    private func rig(_ answer: @escaping StubTransport.Answer = { .stub(for: $0, json: "{}") }) -> (
        Rig<HookedAPI>, OuterHooks
    ) {
        let rig = Rig(HookedAPI(), answer)
        let outer = OuterHooks(rig.screen)
        rig.manager.interceptor = outer
        rig.manager.onHook = { [screen = rig.screen] in screen.log.append($0) }
        return (rig, outer)
    }

    @Test func `hooks that don't wait change no step, and the call has sent the request when it returns`() async {
        let (rig, outer) = rig()
        #expect(rig.manager.loadData() != nil)
        let start = ["params", "shouldCall", "validate params", "inner may call", "outer may call", "afterCall"]
        #expect(rig.screen.log == start)
        #expect(await eventually { rig.screen.ends.count == 1 })
        #expect(
            rig.screen.log == start + [
                "validate data", "inner may succeed", "outer may succeed", "beforeSuccess", "success", "afterSuccess",
            ])
        rig.screen.dataVerdict = { _ in .invalid("no") }
        rig.manager.loadData()
        #expect(await eventually { rig.screen.ends.count == 2 })
        #expect(
            rig.screen.log.suffix(5) == ["inner may fail", "outer may fail", "beforeFail", "failed", "afterFail"])
        withExtendedLifetime(outer) {}
    }

    @Test func `a veto after a wait ends the load once, with nothing sent`() async {
        let (rig, outer) = rig()
        let door = HookDoor()
        outer.call = { _ in
            await door.pass()
            return false
        }
        let id = rig.manager.loadData()
        #expect(id != nil && rig.manager.isLoading && rig.stub.requests.isEmpty)
        door.open()
        #expect(await eventually { rig.screen.ends.count == 1 })
        #expect(rig.screen.ends.first?.type == .vetoed && rig.screen.ends.first?.id == id)
        // One that doesn't wait is told of later than the call too.
        rig.manager.loadData()
        #expect(rig.screen.ends.count == 1)
        #expect(await eventually { rig.screen.ends.count == 2 })
        #expect(rig.stub.requests.isEmpty && !rig.manager.isLoading && !rig.screen.log.contains("afterCall"))
    }

    @Test func `the request has the token and the user of after the wait`() async {
        let (rig, outer) = rig()
        let door = HookDoor()
        outer.call = { _ in
            await door.pass()
            return true
        }
        rig.service.headers = ["X-Token": "old"]
        rig.manager.loadData()
        rig.service.headers = ["X-Token": "new"]
        rig.service.userIdentifier = "a"
        door.open()
        #expect(await eventually { rig.screen.ends.count == 1 })
        #expect(rig.screen.ends.first?.type == .success && rig.stub.requests.map { $0.headers["X-Token"] } == ["new"])
        #expect(rig.screen.log.filter { $0 == "params" }.count == 1)
    }

    @Test func `a load of one user goes to no other after a wait`() async {
        let (rig, outer) = rig()
        let door = HookDoor()
        outer.call = { _ in
            await door.pass()
            return true
        }
        rig.service.userIdentifier = "a"
        rig.manager.loadData()
        rig.service.userIdentifier = "b"
        door.open()
        #expect(await eventually { rig.screen.ends.count == 1 })
        #expect(rig.screen.ends.first?.type == .cancelled && rig.stub.requests.isEmpty)
    }

    @Test func `a request that can't be built any more after a wait ends the load`() async {
        let (rig, outer) = rig()
        let door = HookDoor()
        outer.call = { _ in
            await door.pass()
            return true
        }
        rig.manager.loadData()
        rig.service.environmentName = "staging"
        door.open()
        #expect(await eventually { rig.screen.ends.count == 1 })
        #expect(rig.screen.ends.first?.type == .serviceError && rig.stub.requests.isEmpty)
    }

    @Test func `a cancel while the call waits ends the load at once, and only once`() async throws {
        let (rig, outer) = rig()
        let door = HookDoor()
        outer.call = { _ in
            await door.pass()
            return true
        }
        let id = try #require(rig.manager.loadData())
        rig.manager.cancelRequest(id)
        // The hook still waits.
        #expect(await eventually { rig.screen.ends.count == 1 })
        #expect(rig.screen.ends.first?.type == .cancelled && !rig.manager.isLoading && !door.isOpen)
        #expect(!rig.screen.log.contains("outer may fail"))
        door.open()
        #expect(await eventually { door.wasCancelled })
        try await Task.sleep(for: .milliseconds(20))
        #expect(rig.screen.ends.count == 1 && rig.stub.requests.isEmpty)
    }

    @Test func `a cancel while the success waits ends the load at once, and nothing of the answer stays`() async throws
    {
        let rig = Rig(TestAPI()) { .stub(for: $0, json: "1") }
        let outer = OuterHooks(rig.screen)
        rig.manager.interceptor = outer
        rig.manager.caches = true
        let door = HookDoor()
        outer.success = { _ in
            await door.pass()
            return true
        }
        var results: [APIErrorType] = []
        let id = try #require(
            rig.manager.load { outcome in
                if case .failure(let error) = outcome { results.append(error.type) } else { results.append(.success) }
            })
        #expect(await eventually { door.arrivals == 1 })
        #expect(rig.manager.isLoading && rig.manager.errorType == .default)
        rig.manager.cancelRequest(id)
        #expect(await eventually { rig.screen.ends.count == 1 })
        #expect(rig.screen.ends.first?.type == .cancelled && rig.manager.response == nil)
        door.open()
        #expect(await eventually { door.wasCancelled })
        try await Task.sleep(for: .milliseconds(20))
        #expect(rig.screen.ends.count == 1 && results == [.cancelled])
        // Not stored either: the next load is sent.
        #expect(await awaited(rig.manager))
        #expect(rig.stub.requests.count == 2)
    }

    @Test func `a load that its validator cancels asks no hook any more`() async {
        let (rig, outer) = rig()
        let door = HookDoor()
        outer.success = { _ in
            await door.pass()
            return true
        }
        rig.screen.dataVerdict = { [manager = rig.manager] _ in
            manager.cancelAllRequests()
            return .valid
        }
        rig.manager.loadData()
        #expect(await eventually { rig.screen.ends.count == 1 })
        #expect(rig.screen.ends.first?.type == .cancelled && door.arrivals == 0)
    }

    @Test func `a failure's hook keeps it from the delegate, not from who waits, and can be cancelled`() async throws {
        let (rig, outer) = rig { .stub(for: $0, status: 500) }
        outer.failure = { error in
            guard case .serverError(500, _) = error.type else { return true }
            return false
        }
        let error = await #expect(throws: APIError.self) { try await rig.manager.load() }
        #expect(error?.type == .serverError(status: 500, body: Data()) && rig.screen.ends.isEmpty)
        #expect(rig.screen.log.suffix(2) == ["beforeFail", "afterFail"])
        // A refused load asks it too.
        rig.screen.paramsVerdict = .invalid("no")
        outer.failure = { $0.type != .paramsError }
        rig.manager.loadData()
        #expect(await eventually { rig.screen.log.filter { $0 == "afterFail" }.count == 2 })
        #expect(rig.screen.ends.isEmpty)
        rig.screen.paramsVerdict = .valid
        let door = HookDoor()
        outer.failure = { _ in
            await door.pass()
            return true
        }
        let id = try #require(rig.manager.loadData())
        #expect(await eventually { door.arrivals == 1 })
        rig.manager.cancelRequest(id)
        #expect(await eventually { rig.screen.ends.count == 1 })
        #expect(rig.screen.ends.first?.type == .cancelled)
        door.open()
        try await Task.sleep(for: .milliseconds(20))
        #expect(rig.screen.ends.count == 1)
    }

    @Test func `cancelling who waits cancels the hook's load`() async {
        let (rig, outer) = rig()
        let door = HookDoor()
        outer.call = { _ in
            await door.pass()
            return true
        }
        let waiting = Task { () -> APIErrorType in
            do throws(APIError) {
                try await rig.manager.load()
                return .success
            } catch {
                return error.type
            }
        }
        #expect(await eventually { door.arrivals == 1 })
        waiting.cancel()
        #expect(await waiting.value == .cancelled)
        door.open()
        #expect(rig.stub.requests.isEmpty)
    }

    @Test func `a queued load asks when its turn has come`() async {
        let isOpen = Protected(false)
        let (rig, outer) = rig { exchange in
            while !isOpen.current { try await Task.sleep(for: .milliseconds(1)) }
            return .stub(for: exchange, json: "{}")
        }
        rig.manager.policy = .queue
        rig.manager.loadData()
        rig.manager.loadData()
        #expect(await eventually { rig.stub.requests.count == 1 })
        #expect(rig.screen.log.filter { $0 == "outer may call" }.count == 1)
        isOpen.withLock { $0 = true }
        #expect(await eventually { rig.screen.ends.count == 2 })
        #expect(rig.screen.log.filter { $0 == "outer may call" }.count == 2)
        #expect(rig.screen.ends.allSatisfy { $0.type == .success })
        withExtendedLifetime(outer) {}
    }

    @Test func `an owner that ends while a hook waits ends the load without a callback`() async throws {
        let (rig, outer) = rig()
        let door = HookDoor()
        outer.success = { _ in
            await door.pass()
            return true
        }
        let lifetime = LoadLifetime()
        rig.manager.bind(to: lifetime)
        var result: APIErrorType?
        rig.manager.load { outcome in
            if case .failure(let error) = outcome { result = error.type } else { result = .success }
        }
        #expect(await eventually { door.arrivals == 1 })
        lifetime.end()
        #expect(await eventually { result != nil })
        #expect(result == .cancelled && rig.screen.ends.isEmpty && !rig.manager.isLoading)
        door.open()
        try await Task.sleep(for: .milliseconds(20))
        #expect(rig.screen.ends.isEmpty)
    }

    private func awaited(_ manager: BaseAPIManager) async -> Bool {
        manager.interceptor = nil
        return (try? await manager.load()) != nil
    }
}
