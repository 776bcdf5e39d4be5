import Foundation
import TestSupport
import Testing
import Trunkline
import TrunklineTesting

private final class PolicyAPI: TestAPI {
    var cachePolicy: CachePolicy?
    override func cachePolicy(for service: Service) -> CachePolicy? { cachePolicy ?? super.cachePolicy(for: service) }
}

private final class TypedPolicyAPI: TypedAPIManager<[Int], NoContent>, APIManagerProtocol {
    func methodName() -> String { "items" }
    func serviceIdentifier() -> ServiceIdentifier { .test }
    override func cachePolicy(for service: Service) -> CachePolicy? { .cacheThenNetwork }
}

/// The session's cache through a manager.
@Suite @MainActor struct ManagerPolicyTests {
    /// Each answer's JSON is the number of its request.
    private func rig(_ policy: CachePolicy?, headers: HTTPHeaders = [:]) -> Rig<PolicyAPI> {
        let api = PolicyAPI()
        api.cachePolicy = policy
        let count = Protected(0)
        return Rig(api) { exchange in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return HTTPResponse(
                request: exchange.request, statusCode: 200,
                headers: headers.merging(["Content-Type": "application/json"]), body: .data(Data("[\(number)]".utf8)))
        }
    }

    private func seen(_ rig: Rig<PolicyAPI>) -> Protected<[String]> {
        let seen = Protected<[String]>([])
        rig.screen.onEnd = { manager in
            let text = manager.response?.string ?? "none"
            seen.withLock {
                $0.append("\(text) \(manager.response?.isCache == true ? "cache" : "network") \(manager.isLoading)")
            }
        }
        return seen
    }

    @Test func `cache, then network: two calls of the delegate, the first with the stored answer`() async throws {
        let rig = rig(.cacheThenNetwork)
        let seen = seen(rig)
        _ = try await rig.manager.load()
        #expect(seen.current == ["[1] network false"])
        let response = try await rig.manager.load()
        #expect(response.string == "[2]")
        #expect(seen.current == ["[1] network false", "[1] cache true", "[2] network false"])
        #expect(rig.stub.requests.count == 2)
    }

    @Test func `cache, then network: a failure follows the stored answer`() async throws {
        let rig = rig(.cacheThenNetwork)
        _ = try await rig.manager.load()
        rig.service.reachable = false
        rig.screen.log = []
        await #expect(throws: APIError.self) { try await rig.manager.load() }
        #expect(rig.screen.log.suffix(3).contains("failed") && rig.screen.log.contains("success"))
        #expect(rig.manager.errorType == .noNetwork)
    }

    @Test func `cache, then network: a stored answer that is refused is not delivered`() async throws {
        let rig = rig(.cacheThenNetwork)
        _ = try await rig.manager.load()
        rig.screen.dataVerdict = { $0.isCache ? .invalid("old") : .valid }
        let seen = seen(rig)
        _ = try await rig.manager.load()
        #expect(seen.current == ["[2] network false"])
    }

    @Test func `cache, then network: a mutation is sent once`() async throws {
        let rig = rig(.cacheThenNetwork)
        rig.manager.verb = .post
        let seen = seen(rig)
        for _ in 0..<2 { _ = try await rig.manager.load() }
        #expect(rig.stub.requests.count == 2 && seen.current.count == 2)
    }

    @Test func `cache, then network: a load that is cancelled in the first call ends so`() async throws {
        let rig = rig(.cacheThenNetwork)
        _ = try await rig.manager.load()
        rig.screen.onEnd = { manager in if manager.response?.isCache == true { manager.cancelAllRequests() } }
        let ends = rig.screen.ends.count
        let error = await #expect(throws: APIError.self) { try await rig.manager.load() }
        #expect(error?.type == .cancelled && rig.screen.ends.count == ends + 2)
        #expect(rig.stub.requests.count == 1)
    }

    @Test func `a typed manager has the stored value in the first call`() async throws {
        let api = TypedPolicyAPI()
        let count = Protected(0)
        let rig = Rig(api) { exchange in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return .stub(for: exchange, json: "[\(number)]")
        }
        let values = Protected<[[Int]]>([])
        rig.screen.onEnd = { _ in values.withLock { $0.append(api.value ?? []) } }
        for _ in 0..<2 { _ = try await api.loadValue() }
        #expect(values.current == [[1], [1], [2]])
    }

    @Test func `the service turns HTTP caching on, a rule and a manager of its own win`() async throws {
        let rig = rig(nil, headers: ["Cache-Control": "max-age=100"])
        rig.service.userIdentifier = "u"
        for _ in 0..<2 { _ = try await rig.manager.load() }
        #expect(rig.stub.requests.count == 2)
        rig.manager.cachePolicy = .standard
        for _ in 0..<2 { _ = try await rig.manager.load() }
        #expect(rig.stub.requests.count == 3 && rig.manager.response?.isCache == true)
        rig.service.configure("**") { $0.cachePolicy = .reload }
        _ = try await rig.manager.load()
        #expect(rig.stub.requests.count == 3)
        rig.manager.cachePolicy = nil
        _ = try await rig.manager.load()
        #expect(rig.stub.requests.count == 4)
    }
}
