import Foundation
import Trunkline
import TrunklineTesting

/// A service over a stub, with every hook settable.
class TestService: Service {
    var base = "http://h/api"
    var version = "v1"
    var transport: StubTransport? { didSet { stubbed = transport.map { SessionManager(transport: $0, cache: cache) } } }
    let cache = ResponseCache(memory: MemoryCacheStore(), disk: nil)
    var params: Parameters = [:]
    var headers: HTTPHeaders = [:]
    var swallowsFailures = false
    var tokenErrorStatus: Int?
    var reachable = true
    private var stubbed: SessionManager?

    override var environments: [ServiceEnvironment] {
        [
            ServiceEnvironment(.production, baseURL: base, apiVersion: version),
            ServiceEnvironment(.development, baseURL: "http://dev/api", apiVersion: version),
        ]
    }
    override var session: SessionManager { stubbed ?? .default }
    override func extraParams() -> Parameters { params }
    override func extraHTTPHeaders(for methodName: String) -> HTTPHeaders { headers }
    override func shouldCallBackByFailedOnCallingAPI(_ error: APIError, response: APIResponse?) -> Bool {
        !swallowsFailures
    }
    override func isTokenError(_ response: APIResponse) -> Bool { response.statusCode == tokenErrorStatus }
    override var isReachable: Bool { reachable }
    override var timeouts: Timeouts { .patient }
}

extension ServiceIdentifier {
    static let test: ServiceIdentifier = "test"
}

class TestAPI: BaseAPIManager, APIManagerProtocol {
    var method = "items"
    var verb = HTTPMethod.get
    var caches = false
    var policy = ReloadPolicy.allow
    var content = APIResponseContent.json
    var fixed: Parameters?
    func methodName() -> String { method }
    func serviceIdentifier() -> ServiceIdentifier { .test }
    override func requestType() -> HTTPMethod { verb }
    override func shouldCache() -> Bool { caches }
    override func reloadPolicy() -> ReloadPolicy { policy }
    override func responseContent() -> APIResponseContent { content }
    override func reform(_ params: Parameters) -> Parameters? { fixed.map { params.merging($0) } }
}

/// Everything a manager can be given, in one object that writes down what it is asked.
@MainActor
final class Screen: APIManagerCallbackDelegate, APIManagerParamSource, APIManagerValidator, APIManagerInterceptor {
    var log: [String] = []
    var ends: [(id: RequestID?, type: APIErrorType)] = []
    var params: Parameters? = [:]
    var paramsVerdict = APIValidation.valid
    var dataVerdict: (APIResponse) -> APIValidation = { _ in .valid }
    var allowsCall = true
    var allowsSuccess = true
    var allowsFailure = true
    var onEnd: ((BaseAPIManager) -> Void)?

    func attach(_ manager: BaseAPIManager, validates: Bool = true) {
        manager.delegate = self
        manager.paramSource = self
        if validates { manager.validator = self }
        manager.interceptor = self
    }

    func managerCallAPISuccess(_ manager: BaseAPIManager) { end(manager, "success") }
    func managerCallAPIFailed(_ manager: BaseAPIManager) { end(manager, "failed") }

    private func end(_ manager: BaseAPIManager, _ word: String) {
        log.append(word)
        ends.append((manager.requestID, manager.errorType))
        onEnd?(manager)
    }

    func paramsForAPI(_ manager: BaseAPIManager) -> Parameters? {
        log.append("params")
        return params
    }

    func manager(_ manager: BaseAPIManager, isCorrectWithParams params: Parameters) -> APIValidation {
        log.append("validate params")
        return paramsVerdict
    }

    func manager(_ manager: BaseAPIManager, isCorrectWithCallbackData response: APIResponse) -> APIValidation {
        log.append("validate data")
        return dataVerdict(response)
    }

    func manager(_ manager: BaseAPIManager, shouldCallAPIWith params: Parameters) -> Bool {
        log.append("shouldCall")
        return allowsCall
    }

    func manager(_ manager: BaseAPIManager, afterCallAPIWith params: Parameters, requestID: RequestID) {
        log.append("afterCall")
    }

    func manager(_ manager: BaseAPIManager, beforePerformSuccessWith response: APIResponse) -> Bool {
        log.append("beforeSuccess")
        return allowsSuccess
    }

    func manager(_ manager: BaseAPIManager, afterPerformSuccessWith response: APIResponse) {
        log.append("afterSuccess")
    }

    func manager(_ manager: BaseAPIManager, beforePerformFailWith error: APIError, response: APIResponse?) -> Bool {
        log.append("beforeFail")
        return allowsFailure
    }

    func manager(_ manager: BaseAPIManager, afterPerformFailWith error: APIError, response: APIResponse?) {
        log.append("afterFail")
    }
}

/// A manager, its service and its screen, wired to a stub.
@MainActor
struct Rig<Manager: BaseAPIManager> {
    let service = TestService()
    let screen = Screen()
    let manager: Manager
    let stub: StubTransport

    init(_ manager: Manager, validates: Bool = true, _ answer: @escaping StubTransport.Answer) {
        self.manager = manager
        stub = StubTransport(answer)
        service.transport = stub
        let factory = ServiceFactory()
        let service = service
        factory.register(.test) { service }
        manager.serviceFactory = factory
        screen.attach(manager, validates: validates)
    }
}
