/// Hears how the loads of a manager end. Called on the main actor, never from inside the call that started the load.
@MainActor
public protocol APIManagerCallbackDelegate: AnyObject {
    /// A load succeeded; fetch the data from the manager.
    func managerCallAPISuccess(_ manager: BaseAPIManager)

    /// A load failed; the manager's `errorType` and `errorMessage` say how.
    func managerCallAPIFailed(_ manager: BaseAPIManager)
}

/// Supplies the parameters of a load. One object may serve several managers.
@MainActor
public protocol APIManagerParamSource: AnyObject {
    /// The parameters for the load that is about to start; nil for none.
    func paramsForAPI(_ manager: BaseAPIManager) -> Parameters?
}

/// Judges parameters before the call and answers after it. Both methods accept by default.
@MainActor
public protocol APIManagerValidator: AnyObject {
    /// Judges the parameters; refused ones end the load with `.paramsError`, and nothing is sent.
    func manager(_ manager: BaseAPIManager, isCorrectWithParams params: Parameters) -> APIValidation

    /// Judges the answer; a refused one ends the load with `.noContent`, or `.tokenError` where the service says so.
    func manager(_ manager: BaseAPIManager, isCorrectWithCallbackData response: APIResponse) -> APIValidation
}

/// Looks into a load from outside, after the manager's own overrides. All methods have defaults that change nothing.
///
/// Three of them may wait, and are asked before their namesakes; ``BaseAPIManager`` says when, and what a cancel does then.
@MainActor
public protocol APIManagerInterceptor: AnyObject {
    /// Whether the call may be made; `false` ends the load with `.vetoed`.
    func manager(_ manager: BaseAPIManager, shouldCallAPIWith params: Parameters) -> Bool

    /// The same, by who may have to wait to know; see ``BaseAPIManager/mayCallAPI(with:)``.
    func manager(_ manager: BaseAPIManager, mayCallAPIWith params: Parameters) async -> Bool

    /// The request was sent.
    func manager(_ manager: BaseAPIManager, afterCallAPIWith params: Parameters, requestID: RequestID)

    /// Whether the delegate hears of a success, by who may have to wait to know; see
    /// ``BaseAPIManager/mayPerformSuccess(with:)``.
    func manager(_ manager: BaseAPIManager, mayPerformSuccessWith response: APIResponse) async -> Bool

    /// The load succeeded; `false` keeps it from the delegate.
    func manager(_ manager: BaseAPIManager, beforePerformSuccessWith response: APIResponse) -> Bool

    /// The delegate has heard of the success, or was kept from it.
    func manager(_ manager: BaseAPIManager, afterPerformSuccessWith response: APIResponse)

    /// Whether the delegate hears of a failure, by who may have to wait to know; see
    /// ``BaseAPIManager/mayPerformFail(with:response:)``.
    func manager(_ manager: BaseAPIManager, mayPerformFailWith error: APIError, response: APIResponse?) async -> Bool

    /// The load failed; `false` keeps it from the delegate.
    func manager(_ manager: BaseAPIManager, beforePerformFailWith error: APIError, response: APIResponse?) -> Bool

    /// The delegate has heard of the failure, or was kept from it.
    func manager(_ manager: BaseAPIManager, afterPerformFailWith error: APIError, response: APIResponse?)
}

extension APIManagerValidator {
    /// Accepts.
    public func manager(_ manager: BaseAPIManager, isCorrectWithParams params: Parameters) -> APIValidation { .valid }

    /// Accepts.
    public func manager(_ manager: BaseAPIManager, isCorrectWithCallbackData response: APIResponse) -> APIValidation {
        .valid
    }
}

extension APIManagerInterceptor {
    /// Allows.
    public func manager(_ manager: BaseAPIManager, shouldCallAPIWith params: Parameters) -> Bool { true }

    /// Allows, at once.
    public func manager(_ manager: BaseAPIManager, mayCallAPIWith params: Parameters) async -> Bool { true }

    /// Allows, at once.
    public func manager(_ manager: BaseAPIManager, mayPerformSuccessWith response: APIResponse) async -> Bool { true }

    /// Allows, at once.
    public func manager(
        _ manager: BaseAPIManager, mayPerformFailWith error: APIError, response: APIResponse?
    ) async -> Bool { true }

    /// Does nothing.
    public func manager(_ manager: BaseAPIManager, afterCallAPIWith params: Parameters, requestID: RequestID) {}

    /// Allows.
    public func manager(_ manager: BaseAPIManager, beforePerformSuccessWith response: APIResponse) -> Bool { true }

    /// Does nothing.
    public func manager(_ manager: BaseAPIManager, afterPerformSuccessWith response: APIResponse) {}

    /// Allows.
    public func manager(
        _ manager: BaseAPIManager, beforePerformFailWith error: APIError, response: APIResponse?
    ) -> Bool { true }

    /// Does nothing.
    public func manager(_ manager: BaseAPIManager, afterPerformFailWith error: APIError, response: APIResponse?) {}
}
