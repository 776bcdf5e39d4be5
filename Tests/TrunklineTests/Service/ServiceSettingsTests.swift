import Foundation
import Testing
import Trunkline
import TrunklineTesting

@MainActor
@Suite("What a service makes of requests")
struct ServiceSettingsTests {
    private final class Settings: TestService {
        var signs: RequestSigning?
        var tokens: [ServiceEnvironment.Name: BearerAuthentication] = [:]
        override var authentication: RequestAuthentication { tokens[environmentName].map { .use($0) } ?? .inherit }
        var stages: [any Interceptor] = []
        override var signing: RequestSigning? { signs }
        override var interceptors: [any Interceptor] { stages }
        override var environments: [ServiceEnvironment] {
            [
                ServiceEnvironment(
                    .production, baseURL: "http://h/api", apiVersion: "v1", publicKey: "P", privateKey: "p-secret"),
                ServiceEnvironment("staging", baseURL: "http://s", publicKey: "S", privateKey: "s-secret"),
            ]
        }
    }

    private func rig(
        _ manager: TestAPI = TestAPI(), _ answer: @escaping StubTransport.Answer = { .stub(for: $0, json: "{}") }
    ) -> (Rig<TestAPI>, Settings) {
        let rig = Rig(manager, answer)
        let service = Settings()
        service.transport = rig.stub
        manager.serviceFactory.register(.test) { service }
        return (rig, service)
    }

    private func load(_ rig: Rig<TestAPI>, at method: String? = nil) async -> HTTPRequest? {
        let before = rig.screen.ends.count
        if let method { rig.manager.method = method }
        rig.manager.loadData()
        #expect(await eventually { rig.screen.ends.count == before + 1 })
        return rig.stub.requests.last
    }

    // MARK: - Rules

    @Test("Rules by path: the later one wins, the manager's own headers over both")
    func rules() async {
        final class Own: TestAPI {
            var own: HTTPHeaders = [:]
            override func extraHTTPHeaders() -> HTTPHeaders { own }
        }
        let manager = Own()
        let (rig, service) = rig(manager)
        service.headers = ["X-A": "service", "X-D": "service"]
        service.configure("/items/**") {
            $0.headers = ["X-A": "wide", "X-B": "wide"]
            $0.timeouts = Timeouts(idle: .seconds(3))
            $0.retry = .never
        }
        service.configure("/items/*") {
            $0.headers["X-B"] = "narrow"
            $0.cachePolicy = .reload
        }
        let item = await load(rig, at: "items/7")
        #expect(item?.headers["X-A"] == "wide" && item?.headers["X-B"] == "narrow" && item?.headers["X-D"] == "service")
        #expect(item?.options.timeouts?.idle == .seconds(3) && item?.options.cache == .reload)
        let parts = await load(rig, at: "items/7/parts")
        #expect(parts?.headers["X-B"] == "wide" && parts?.options.cache == nil)
        let other = await load(rig, at: "others")
        #expect(other?.headers["X-A"] == "service" && other?.options.timeouts == service.timeouts)
        #expect(other?.options.retry == nil)
        manager.own = ["x-b": "own"]
        #expect(await load(rig, at: "items/7")?.headers["X-B"] == "own")
        // Below the base of whatever environment is in use.
        service.environmentName = "staging"
        #expect(await load(rig, at: "items/7")?.headers["X-A"] == "wide")
        service.removeAllRules()
        #expect(await load(rig, at: "items/7")?.headers["X-A"] == "service")
    }

    @Test("A rule's retry sends again")
    func retry() async {
        let number = Protected(0)
        let (rig, service) = rig { exchange in
            let mine = number.withLock { number in
                number += 1
                return number
            }
            return .stub(for: exchange, status: mine == 1 ? 503 : 200, json: "{}")
        }
        service.configure("/items") { $0.retry = RetryPolicy(limit: 2, baseDelay: .milliseconds(1)) }
        _ = await load(rig)
        #expect(rig.manager.errorType == .success && rig.stub.requests.count == 2)
    }

    // MARK: - Signing

    @Test("The signature sees what goes out: URL, headers and body of every stage before, and the keys of then")
    func signing() async throws {
        let seen = Collector<String>()
        let (rig, service) = rig()
        service.stages = [
            ClosureInterceptor { exchange, next in
                var exchange = exchange
                exchange.request.headers["X-Late"] = "1"
                return try await next(exchange)
            }
        ]
        service.signs = RequestSigning { request, keys in
            let body = String(decoding: request.body?.data ?? Data(), as: UTF8.self)
            seen.add(
                "\(request.method) \(request.url) \(request.headers["X-Late"] ?? "") "
                    + "\(request.headers["Content-Type"] ?? "") \(body) \(keys.privateKey)")
            request.headers["X-Signature"] = keys.publicKey
            #expect(!"\(keys)".contains("secret"))
        }
        service.params = ["token": 1]
        #expect(await load(rig)?.headers["X-Signature"] == "P")
        rig.manager.verb = .post
        service.environmentName = "staging"
        #expect(await load(rig)?.headers["X-Signature"] == "S")
        #expect(
            seen.all == [
                "GET http://h/api/v1/items?token=1 1   p-secret",
                #"POST http://s/items 1 application/json {"token":1} s-secret"#,
            ])
    }

    @Test("A body that is not in memory can't be signed, and nothing is sent")
    func streams() async {
        let (rig, service) = rig()
        service.signs = RequestSigning { request, _ in request.headers["X-Signature"] = "1" }
        service.stages = [
            ClosureInterceptor { exchange, next in
                var exchange = exchange
                exchange.request.body = .stream { RequestBody.Chunks { $0.finish() } }
                return try await next(exchange)
            }
        ]
        rig.manager.verb = .post
        #expect(await load(rig) == nil)
        #expect(rig.manager.errorType == .requestError && rig.manager.error?.reason.contains("sign") == true)
    }

    @Test("What a signature throws ends the load")
    func signingFails() async {
        struct NoKey: Error {}
        let (rig, service) = rig()
        service.signs = RequestSigning { _, _ in throw NoKey() }
        #expect(await load(rig) == nil)
        guard case .custom(let error)? = rig.manager.error?.underlying else {
            Issue.record("not the signature's error")
            return
        }
        #expect(error is NoKey)
    }

    // MARK: - Environments

    @Test("Each environment has its token, which loads keep")
    func tokens() async {
        final class Public: TestAPI {
            override func authentication(for service: Service) -> RequestAuthentication { .none }
        }
        let (rig, service) = rig()
        service.tokens = [
            .production: BearerAuthentication(token: "p", origins: ["http://h"]),
            "staging": BearerAuthentication(token: "s", origins: ["http://s"]),
        ]
        // Made in one environment, and sent when the other is selected already.
        rig.manager.loadData()
        service.environmentName = "staging"
        #expect(await eventually { rig.screen.ends.count == 1 })
        #expect(rig.stub.requests.last?.headers["Authorization"] == "Bearer p")
        #expect(await load(rig)?.headers["Authorization"] == "Bearer s")
        let (open, openService) = self.rig(Public())
        openService.tokens = service.tokens
        let request = await load(open)
        #expect(request != nil && request?.headers["Authorization"] == nil)
    }

    @Test("A load in flight keeps its environment, and caches are apart")
    func environments() async throws {
        let isOpen = Protected(false)
        let (rig, service) = rig { exchange in
            while exchange.request.url.host == "h", !isOpen.current { try await Task.sleep(for: .milliseconds(1)) }
            return .stub(for: exchange, json: #""\#(exchange.request.url.host ?? "")""#)
        }
        rig.manager.caches = true
        rig.manager.loadData()
        #expect(await eventually { rig.stub.requests.count == 1 })
        try service.selectEnvironment("staging")
        _ = await load(rig)
        #expect(rig.manager.response?.json == "s")
        isOpen.withLock { $0 = true }
        #expect(await eventually { rig.screen.ends.count == 2 })
        #expect(rig.screen.ends.allSatisfy { $0.type == .success })
        // Each environment has its own answer now, without another request.
        for (name, host) in [(ServiceEnvironment.Name.production, "h"), ("staging", "s")] {
            try service.selectEnvironment(name)
            _ = await load(rig)
            #expect(rig.manager.response?.json == .string(host) && rig.manager.response?.isCache == true)
        }
        #expect(rig.stub.requests.count == 2)
        #expect(throws: ServiceError.unknownEnvironment("moon", .test, known: [.production, "staging"])) {
            try service.selectEnvironment("moon")
        }
        #expect(service.environmentName == "staging")
    }
}
