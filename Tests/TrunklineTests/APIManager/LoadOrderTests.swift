import Foundation
import Testing
import Trunkline
import TrunklineTesting

/// The order of a load, step by step, and the one callback each way out has.
@Suite @MainActor struct LoadOrderTests {
    @Test func `a success goes through every step in the documented order`() async {
        let rig = Rig(TestAPI()) { .stub(for: $0, json: "{}") }
        #expect(rig.manager.loadData() != nil)
        // The request is under way and nothing has come back when the call returns.
        #expect(rig.screen.log == ["params", "shouldCall", "validate params", "afterCall"])
        #expect(rig.manager.isLoading)
        #expect(await eventually { rig.screen.ends.count == 1 })
        #expect(
            rig.screen.log == [
                "params", "shouldCall", "validate params", "afterCall", "validate data", "beforeSuccess", "success",
                "afterSuccess",
            ])
        #expect(rig.manager.errorType == .success && !rig.manager.isLoading)
    }

    @Test func `a failure goes through every step in the documented order`() async {
        let rig = Rig(TestAPI()) { .stub(for: $0, json: "{}") }
        rig.screen.dataVerdict = { _ in .invalid("no") }
        rig.manager.loadData()
        #expect(await eventually { rig.screen.ends.count == 1 })
        #expect(rig.screen.log.suffix(4) == ["validate data", "beforeFail", "failed", "afterFail"])
        #expect(rig.manager.errorType == .noContent && rig.manager.errorMessage == "no")
    }

    @Test func `the subclass intercepts first and the outer interceptor through super`() async {
        final class Inner: TestAPI {
            var log: [String] = []
            override func shouldCallAPI(with params: Parameters) -> Bool {
                log.append("inner")
                return super.shouldCallAPI(with: params)
            }
            override func beforePerformSuccess(with response: APIResponse) -> Bool { false }
        }
        let rig = Rig(Inner()) { .stub(for: $0, json: "{}") }
        rig.manager.loadData()
        #expect(rig.manager.log == ["inner"] && rig.screen.log.contains("shouldCall"))
        #expect(await eventually { rig.screen.log.contains("afterSuccess") })
        // Not passed on to super: neither the outer interceptor nor the delegate hears.
        #expect(rig.screen.ends.isEmpty && !rig.screen.log.contains("beforeSuccess"))
    }

    // MARK: - Refusals: one callback, later, nothing sent

    private func expectRefusal(
        _ rig: Rig<some BaseAPIManager>, _ type: APIErrorType, load: () -> RequestID? = { nil },
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        #expect(rig.manager.loadData() == nil, sourceLocation: sourceLocation)
        #expect(rig.screen.ends.isEmpty, "called back from inside the call", sourceLocation: sourceLocation)
        #expect(await eventually { rig.screen.ends.count == 1 }, sourceLocation: sourceLocation)
        #expect(rig.screen.ends.first?.type == type, sourceLocation: sourceLocation)
        #expect(rig.stub.requests.isEmpty && !rig.manager.isLoading, sourceLocation: sourceLocation)
        #expect(!rig.manager.errorMessage.isEmpty, sourceLocation: sourceLocation)
        try? await Task.sleep(for: .milliseconds(20))
        #expect(rig.screen.ends.count == 1, sourceLocation: sourceLocation)
    }

    @Test func `refused parameters`() async {
        let rig = Rig(TestAPI()) { .stub(for: $0, json: "{}") }
        rig.screen.paramsVerdict = .invalid("Enter a name.")
        await expectRefusal(rig, .paramsError)
        #expect(rig.manager.errorMessage == "Enter a name.")
    }

    @Test func `a veto`() async {
        let rig = Rig(TestAPI()) { .stub(for: $0, json: "{}") }
        rig.screen.allowsCall = false
        await expectRefusal(rig, .vetoed)
        #expect(!rig.screen.log.contains("validate params"))
    }

    @Test func `an unknown service says what is registered`() async {
        let rig = Rig(TestAPI()) { .stub(for: $0, json: "{}") }
        let other = ServiceFactory()
        other.register("other", TestService.self)
        rig.manager.serviceFactory = other
        await expectRefusal(rig, .serviceError)
        #expect(rig.manager.error?.reason.contains("\"other\"") == true)
    }

    @Test func `a manager that is no endpoint`() async {
        let rig = Rig(BaseAPIManager()) { .stub(for: $0, json: "{}") }
        await expectRefusal(rig, .serviceError)
        #expect(rig.manager.error?.reason.contains("APIManagerProtocol") == true)
    }

    @Test func `an environment the service doesn't have`() async {
        let rig = Rig(TestAPI()) { .stub(for: $0, json: "{}") }
        rig.service.environmentName = "staging"
        await expectRefusal(rig, .serviceError)
    }

    @Test(arguments: ["", "nonsense", "ftp://h"])
    func `a base URL no request can go to`(base: String) async {
        let rig = Rig(TestAPI()) { .stub(for: $0, json: "{}") }
        rig.service.base = base
        await expectRefusal(rig, .requestError)
    }

    @Test func `a path template without its parameter`() async {
        let rig = Rig(TestAPI()) { .stub(for: $0, json: "{}") }
        rig.manager.method = "items/{id}"
        await expectRefusal(rig, .requestError)
        #expect(rig.manager.error?.reason.contains("id") == true)
    }

    @Test func `a param source that has gone away`() async {
        let rig = Rig(TestAPI()) { .stub(for: $0, json: "{}") }
        var source: Screen? = Screen()
        rig.manager.paramSource = source
        source = nil
        _ = source
        await expectRefusal(rig, .paramsError)
    }

    @Test func `no param source at all means no parameters`() async {
        let rig = Rig(TestAPI()) { .stub(for: $0, json: "{}") }
        rig.manager.paramSource = nil
        let fresh = TestAPI()
        fresh.serviceFactory = rig.manager.serviceFactory
        fresh.delegate = rig.screen
        #expect(fresh.loadData() != nil)
        #expect(await eventually { rig.screen.ends.count == 1 })
        #expect(rig.screen.ends.first?.type == .success)
        #expect(rig.stub.requests.first?.url.absoluteString == "http://h/api/v1/items")
    }

    @Test func `an unreachable service`() async {
        let rig = Rig(TestAPI()) { .stub(for: $0, json: "{}") }
        rig.service.reachable = false
        #expect(rig.manager.loadData() != nil)
        #expect(await eventually { rig.screen.ends.count == 1 })
        #expect(rig.screen.ends.first?.type == .noNetwork && rig.stub.requests.isEmpty)
        #expect(!rig.screen.log.contains("afterCall"))
    }

    @Test func `suppressed callbacks still end the load`() async {
        let rig = Rig(TestAPI()) { .stub(for: $0, status: 500) }
        rig.service.swallowsFailures = true
        rig.manager.loadData()
        #expect(await eventually { rig.screen.log.contains("afterFail") })
        #expect(rig.screen.ends.isEmpty && !rig.manager.isLoading)

        rig.service.swallowsFailures = false
        rig.screen.allowsFailure = false
        rig.manager.loadData()
        #expect(await eventually { rig.screen.log.filter { $0 == "afterFail" }.count == 2 })
        #expect(rig.screen.ends.isEmpty)
    }
}
