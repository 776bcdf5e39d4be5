import Trunkline

/// What holds for every endpoint of the app. The two base classes, `LibraryBaseAPI` and `LibraryListAPI`, are their own
/// validators and interceptors by it.
@MainActor
protocol LibraryRules: APIManagerValidator, APIManagerInterceptor {}

extension LibraryRules {
    /// Whatever the library answers a good request with is a JSON object. A bad status says enough by itself.
    func manager(_ manager: BaseAPIManager, isCorrectWithCallbackData response: APIResponse) -> APIValidation {
        guard response.statusCode < 300 else { return .valid }
        return response.json?.object != nil ? .valid : .invalid("The library's answer makes no sense.")
    }

    func manager(_ manager: BaseAPIManager, afterCallAPIWith params: Parameters, requestID: RequestID) {
        Traffic.shared.requestsSent += 1
    }

    func manager(_ manager: BaseAPIManager, beforePerformSuccessWith response: APIResponse) -> Bool {
        if response.isCache { Traffic.shared.answersFromCache += 1 }
        return true
    }

    /// Where the server says in words why it failed, these are better than any of ours.
    func manager(_ manager: BaseAPIManager, beforePerformFailWith error: APIError, response: APIResponse?) -> Bool {
        if case .serverError = error.type,
            let words = manager.fetchFailedRequestMessage(ServerMessageReformer()).value
        {
            manager.errorMessage = words
        }
        return true
    }
}
