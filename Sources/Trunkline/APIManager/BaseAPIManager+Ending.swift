import Foundation

/// The two ends of a load.
extension BaseAPIManager {
    /// Ends a load, once: steps 7 to 9, or the failure path.
    func finish(_ load: APILoad, _ outcome: Result<APIResponse, HTTPError>) {
        guard table.remove(load) else { return }
        defer { load.signalEnd() }
        let result: APILoadResult
        if load.isCancelled || !load.belongsToCurrentUser {
            result = APILoadResult(id: load.id, error: .cancelled)
        } else {
            result = judge(load, outcome)
        }
        if let response = result.response, result.error == nil {
            store(response, of: load)
            commit(response, plan: load.plan)
            performSuccess(result, response)
            load.complete(.success(response))
        } else {
            let error = performFailure(result, service: load.service)
            load.complete(.failure(error ?? .cancelled))
        }
    }

    /// Step 7: status, content, validator.
    private func judge(_ load: APILoad, _ outcome: Result<APIResponse, HTTPError>) -> APILoadResult {
        switch outcome {
        case .failure(let error):
            return APILoadResult(id: load.id, error: APIError(error))
        case .success(let response):
            guard var error = refusal(of: response) else { return APILoadResult(id: load.id, response: response) }
            if load.service.isTokenError(response) {
                error = APIError(.tokenError, reason: "The service says the token is invalid. " + error.reason)
            }
            return APILoadResult(id: load.id, error: error, response: response)
        }
    }

    private func refusal(of response: APIResponse) -> APIError? {
        let status = response.statusCode
        let isSuccess = (200..<300).contains(status)
        let failure = APIErrorType.serverError(status: status, body: response.data)
        let isJudged = isSuccess || validatedStatusCodes().contains(status)
        if isSuccess, response.data.isEmpty, !allowsEmptyResponse(response) {
            return APIError(.noContent, reason: "The answer (status \(status)) has no content.")
        }
        if isSuccess, !response.data.isEmpty, response.json == nil, responseContent() == .json {
            return APIError(.invalidContent, reason: "The answer (status \(status)) is not JSON.")
        }
        if isJudged, case .invalid(let reason) = validate(response) {
            // A failure status the validator has looked at stays what it is, with the validator's words.
            return APIError(
                isSuccess ? .noContent : failure, message: reason, reason: "The answer was refused: \(reason)")
        }
        return isSuccess ? nil : APIError(failure, reason: "The server answered with status \(status).")
    }

    /// Step 8. Readers see the entry from now on; an answer that came from the cache is not stored again.
    private func store(_ response: APIResponse, of load: APILoad) {
        let call = load.call
        guard let key = call.cacheKey, !response.isCache,
            CacheRules.isStorable(request: call.request, response: response.http, partition: key.partition),
            let entry = CachedResponse(response.http, to: call.request, requestedAt: call.madeAt, storedAt: Date())
        else { return }
        load.service.session.cache.storeInBackground(entry, for: key, ticket: call.cacheTicket)
    }

    /// Step 9.
    private func performSuccess(_ result: APILoadResult, _ response: APIResponse) {
        whileShowing(result) {
            if beforePerformSuccess(with: response) { delegate?.managerCallAPISuccess(self) }
            afterPerformSuccess(with: response)
        }
    }

    /// The failure path.
    ///
    /// - Returns: the error with the message that the callbacks left it with.
    func performFailure(_ result: APILoadResult, service: Service?) -> APIError? {
        guard let error = result.error else { return nil }
        let response = result.response
        return whileShowing(result) {
            let serviceAllows = service?.shouldCallBackByFailedOnCallingAPI(error, response: response) ?? true
            let managerAllows = beforePerformFail(with: error, response: response)
            if serviceAllows, managerAllows { delegate?.managerCallAPIFailed(self) }
            afterPerformFail(with: error, response: response)
        }.error
    }
}
