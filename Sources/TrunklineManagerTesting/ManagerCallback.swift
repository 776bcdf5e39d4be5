import Trunkline

/// What a manager's delegate heard, with the manager's state at that moment.
public struct ManagerCallback: Sendable {
    /// Whether it was `managerCallAPISuccess`.
    public let isSuccess: Bool
    /// The load's identity; nil when nothing was sent.
    public let requestID: RequestID?
    /// How the load ended.
    public let errorType: APIErrorType
    /// Why it failed; nil after a success.
    public let error: APIError?
    /// The answer, where there was one.
    public let response: APIResponse?

    @MainActor
    init(_ manager: BaseAPIManager, isSuccess: Bool) {
        self.isSuccess = isSuccess
        requestID = manager.requestID
        errorType = manager.errorType
        error = manager.error
        response = manager.response
    }
}

extension ManagerCallback: CustomStringConvertible {
    /// What it was, and why.
    public var description: String {
        isSuccess ? "success" : "failure (\(errorType)): \(error?.reason ?? "without a reason")"
    }
}
