import Foundation
import Testing
import Trunkline
import TrunklineTesting

@MainActor
@Suite("Loads that fail for want of a log-in")
struct ServiceLoginTests {
    private final class LoginService: TestService {
        override func isLoginRequired(_ response: APIResponse) -> Bool { response.statusCode == 403 }
    }

    private func rig<Manager: BaseAPIManager>(
        _ manager: Manager, _ answer: @escaping StubTransport.Answer
    ) -> (Rig<Manager>, LoginService) {
        let rig = Rig(manager, validates: false, answer)
        let service = LoginService()
        service.tokenErrorStatus = 401
        service.transport = rig.stub
        manager.serviceFactory.register(.test) { service }
        return (rig, service)
    }

    @Test("Each kind tells its event, after the delegate, with the manager to resume")
    func events() async {
        let status = Protected(401)
        let (rig, service) = rig(TestAPI()) { .stub(for: $0, status: status.current, json: "{}") }
        var events = service.events.makeAsyncIterator()
        var heard: [String] = []
        service.onEvent = { event in
            switch event {
            case .tokenInvalid(let load): heard.append("token \(load.error.type) \(rig.screen.ends.count)")
            case .needLogin(let load): heard.append("login \(load.error.type) \(rig.screen.ends.count)")
            }
        }
        for code in [401, 403, 500] {
            status.withLock { $0 = code }
            let before = rig.screen.ends.count
            let id = rig.manager.loadData()
            #expect(await eventually { rig.screen.ends.count == before + 1 })
            guard code < 500 else { continue }
            let event = await events.next()
            #expect(event?.load.requestID == id && event?.load.manager === rig.manager)
        }
        #expect(heard == ["token tokenError 1", "login needLogin 2"])
    }

    @Test("After the log-in each failed load is made again, once, and those that have succeeded since are not")
    func resuming() async {
        let status = Protected(401)
        let (rig, service) = rig(TestAPI()) { .stub(for: $0, status: status.current, json: "{}") }
        let others = (0..<3).map { _ in
            let manager = TestAPI()
            manager.serviceFactory = rig.manager.serviceFactory
            return manager
        }
        let screens = others.map { manager in
            let screen = Screen()
            screen.attach(manager)
            return screen
        }
        for manager in [rig.manager, rig.manager] + others { manager.loadData() }
        #expect(await eventually { rig.screen.ends.count == 2 && screens.allSatisfy { $0.ends.count == 1 } })
        status.withLock { $0 = 200 }
        others[0].loadData()
        #expect(await eventually { screens[0].ends.count == 2 })

        #expect(service.resumeAfterLogin() == 3)
        #expect(service.resumeAfterLogin() == 0)
        #expect(
            await eventually { rig.screen.ends.count == 3 && screens.dropFirst().allSatisfy { $0.ends.count == 2 } })
        #expect(rig.screen.ends.last?.type == .success && screens[0].ends.count == 2)
        #expect(rig.stub.requests.count == 9)
    }

    @Test("A manager that is gone is not resumed, and the queue keeps none alive")
    func released() async {
        let (rig, service) = rig(TestAPI()) { .stub(for: $0, status: 401, json: "{}") }
        var manager: TestAPI? = TestAPI()
        weak let gone = manager
        manager?.serviceFactory = rig.manager.serviceFactory
        _ = try? await manager?.load()
        manager = nil
        #expect(await eventually { gone == nil })
        #expect(service.resumeAfterLogin() == 0)
        _ = try? await rig.manager.load()
        service.forgetFailedLoads()
        #expect(service.resumeAfterLogin() == 0)
    }

    @Test("A list resumes with the page that failed, and the events end with the service")
    func paging() async {
        final class Pages: PagingAPIManager, APIManagerProtocol {
            func methodName() -> String { "list" }
            func serviceIdentifier() -> ServiceIdentifier { .test }
            override var pageSize: Int { 1 }
        }
        let isLoggedIn = Protected(true)
        let (rig, service) = rig(Pages()) { .stub(for: $0, status: isLoggedIn.current ? 200 : 401, json: "[1]") }
        rig.manager.loadNextPage()
        #expect(await eventually { rig.screen.ends.count == 1 })
        isLoggedIn.withLock { $0 = false }
        rig.manager.loadNextPage()
        #expect(await eventually { rig.screen.ends.count == 2 })
        isLoggedIn.withLock { $0 = true }
        #expect(service.resumeAfterLogin() == 1)
        #expect(await eventually { rig.screen.ends.count == 3 })
        #expect(rig.manager.currentPage == 2)
        #expect(
            rig.stub.requests.map(\.url.query) == [
                "page=1&pageSize=1", "page=2&pageSize=1", "page=2&pageSize=1",
            ])

        var brief: LoginService? = LoginService()
        let events = brief?.events
        brief = nil
        if let events { for await _ in events { Issue.record("an event of nobody") } }
    }
}
