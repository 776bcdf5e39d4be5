import Foundation
import Trunkline

/// Where hooks wait until the test lets them go.
@MainActor
final class HookDoor {
    private(set) var arrivals = 0
    private(set) var wasCancelled = false
    private var waiters: [CheckedContinuation<Void, Never>] = []
    var isOpen = false

    /// Deaf to cancels, as an app's dialog is.
    func pass() async {
        arrivals += 1
        if !isOpen { await withCheckedContinuation { waiters.append($0) } }
        wasCancelled = wasCancelled || Task.isCancelled
    }

    func open() {
        isOpen = true
        waiters.forEach { $0.resume() }
        waiters = []
    }
}

/// An outer object whose hooks answer what the test says.
@MainActor
final class OuterHooks: APIManagerInterceptor {
    let screen: Screen
    var call: (Parameters) async -> Bool = { _ in true }
    var success: (APIResponse) async -> Bool = { _ in true }
    var failure: (APIError) async -> Bool = { _ in true }

    init(_ screen: Screen) { self.screen = screen }

    func manager(_ manager: BaseAPIManager, mayCallAPIWith params: Parameters) async -> Bool {
        screen.log.append("outer may call")
        return await call(params)
    }

    func manager(_ manager: BaseAPIManager, mayPerformSuccessWith response: APIResponse) async -> Bool {
        screen.log.append("outer may succeed")
        return await success(response)
    }

    func manager(
        _ manager: BaseAPIManager, mayPerformFailWith error: APIError, response: APIResponse?
    ) async -> Bool {
        screen.log.append("outer may fail")
        return await failure(error)
    }

    func manager(_ manager: BaseAPIManager, shouldCallAPIWith params: Parameters) -> Bool {
        screen.manager(manager, shouldCallAPIWith: params)
    }

    func manager(_ manager: BaseAPIManager, afterCallAPIWith params: Parameters, requestID: RequestID) {
        screen.manager(manager, afterCallAPIWith: params, requestID: requestID)
    }

    func manager(_ manager: BaseAPIManager, beforePerformSuccessWith response: APIResponse) -> Bool {
        screen.manager(manager, beforePerformSuccessWith: response)
    }

    func manager(_ manager: BaseAPIManager, afterPerformSuccessWith response: APIResponse) {
        screen.manager(manager, afterPerformSuccessWith: response)
    }

    func manager(_ manager: BaseAPIManager, beforePerformFailWith error: APIError, response: APIResponse?) -> Bool {
        screen.manager(manager, beforePerformFailWith: error, response: response)
    }

    func manager(_ manager: BaseAPIManager, afterPerformFailWith error: APIError, response: APIResponse?) {
        screen.manager(manager, afterPerformFailWith: error, response: response)
    }
}

/// An endpoint with hooks of its own.
final class HookedAPI: TestAPI {
    var onHook: (String) -> Void = { _ in }
    override func mayCallAPI(with params: Parameters) async -> Bool {
        onHook("inner may call")
        return await super.mayCallAPI(with: params)
    }
    override func mayPerformSuccess(with response: APIResponse) async -> Bool {
        onHook("inner may succeed")
        return await super.mayPerformSuccess(with: response)
    }
    override func mayPerformFail(with error: APIError, response: APIResponse?) async -> Bool {
        onHook("inner may fail")
        return await super.mayPerformFail(with: error, response: response)
    }
}
