import Foundation

/// The two ends of a load.
extension BaseAPIManager {
    /// Ends a load, once: steps 8 to 10, or the failure path. Of several that end it, a cancel while a hook is waited for
    /// say, the first to come to an end counts.
    func finish(
        _ load: APILoad, _ outcome: Result<APIResponse, APIError>, content: ReadContent = ReadContent()
    ) async {
        guard table.contains(load) else { return }
        let dropped = APILoadResult(id: load.id, error: .cancelled)
        var result = isVoid(load) ? dropped : judge(load, outcome, content)
        // A validator may have cancelled it.
        if isVoid(load) { result = dropped }
        var isAllowed = true
        // Nobody holds up the end of a load that was cancelled.
        if result.error?.type != .cancelled {
            load.isInHook = true
            isAllowed = await isDelivered(result)
            load.isInHook = false
            guard table.contains(load) else { return }
            if isVoid(load) { (result, isAllowed) = (dropped, true) }
        }
        if result.error == nil, let response = result.response {
            do throws(APIError) {
                result.response = try accept(response, of: load)
            } catch {
                return await finish(load, .failure(error))
            }
        }
        guard table.remove(load) else { return }
        defer { load.signalEnd() }
        if load.bond?.isBroken == true {
            // The owner is gone: nobody is called, and those who wait for an end still get one.
            stateHub.send(result.state)
            return load.complete(result)
        }
        if result.error == nil, let response = result.response {
            store(response, of: load)
            commit(result, response, plan: load.plan)
            willPerformSuccess(load, response)
            end(load, performSuccess(result, response, isAllowed: isAllowed))
        } else {
            end(load, performFailure(result, service: load.service, isAllowed: isAllowed))
        }
    }

    /// Whether whatever came for the load is dropped.
    private func isVoid(_ load: APILoad) -> Bool {
        load.isCancelled || !load.belongsToCurrentUser || load.bond?.isBroken == true
    }

    /// Asks the hooks that may wait.
    private func isDelivered(_ result: APILoadResult) async -> Bool {
        if let error = result.error { return await mayPerformFail(with: error, response: result.response) }
        guard let response = result.response else { return true }
        return await mayPerformSuccess(with: response)
    }

    /// Delivers an answer that is not the end of its load: steps 8 and 10, where step 8 and the hook that may wait accept it.
    func deliverEarly(_ load: APILoad, _ response: APIResponse, _ content: ReadContent) async {
        guard !isVoid(load) else { return }
        let result = judge(load, .success(response), content)
        guard result.error == nil, !isVoid(load) else { return }
        load.isInHook = true
        let isAllowed = await mayPerformSuccess(with: response)
        load.isInHook = false
        guard table.contains(load), !isVoid(load) else { return }
        commit(result, response, plan: load.plan)
        whileShowing(result, isEnd: false) {
            if beforePerformSuccess(with: response), isAllowed { delegate?.managerCallAPISuccess(self) }
            afterPerformSuccess(with: response)
        }
    }

    private func end(_ load: APILoad, _ result: APILoadResult) {
        load.service.loadEnded(self, load.plan, result)
        load.complete(result)
    }

    /// Step 8: status, content, envelope, validator.
    private func judge(
        _ load: APILoad, _ outcome: Result<APIResponse, APIError>, _ content: ReadContent
    ) -> APILoadResult {
        switch outcome {
        case .failure(let error):
            return APILoadResult(id: load.id, error: error)
        case .success(let response):
            guard var error = refusal(of: response, content, service: load.service) else {
                return APILoadResult(id: load.id, response: response, value: content.value)
            }
            if load.service.isTokenError(response) {
                error.become(.tokenError, because: "The service says the token is invalid.")
            } else if load.service.isLoginRequired(response) {
                error.become(.needLogin, because: "The service says the user has to log in.")
            }
            error.content = content.serverError
            if let words = (content.serverError as? any UserMessageProviding)?.userMessage { error.message = words }
            return APILoadResult(id: load.id, error: error, response: response)
        }
    }

    private func refusal(of response: APIResponse, _ content: ReadContent, service: Service) -> APIError? {
        let status = response.statusCode
        let isSuccess = response.http.isSuccess
        var failure = APIError(
            .serverError(status: status, body: response.data), reason: "The server answered with status \(status).")
        if isSuccess, response.data.isEmpty, response.fileURL == nil, !allowsEmptyResponse(response) {
            return APIError(.noContent, reason: "The answer (status \(status)) has no content.")
        }
        if isSuccess, !response.data.isEmpty, response.json == nil, responseContent() == .json {
            return APIError(.invalidContent, reason: "The answer (status \(status)) is not JSON.")
        }
        if let envelope = responseEnvelope(for: service), let json = response.json {
            switch envelope.verdict(on: json) {
            case .success: break
            case .noCode where isSuccess:
                return APIError(
                    .invalidContent,
                    reason:
                        "The answer (status \(status)) has no code at \"\(envelope.code)\", where its envelope has one."
                )
            case .noCode: break
            case .failure(let type, let code, let message):
                let says = "The answer (status \(status)) has the code \(code): \(message ?? "no message")."
                var refused = APIError(type, message: message, reason: says)
                refused.code = code
                if case .businessError = type, !isSuccess {
                    failure.code = code
                    failure.reason = says
                    if let message { failure.message = message }
                } else {
                    return refused
                }
            }
        }
        if isSuccess || validatedStatusCodes().contains(status), case .invalid(let reason) = validate(response) {
            let says = "The answer was refused: \(reason)"
            guard !isSuccess else { return APIError(.noContent, message: reason, reason: says) }
            // A failure status the validator has looked at stays what it is, with the validator's words.
            failure.message = reason
            failure.reason = says
        }
        return isSuccess ? content.failure : failure
    }

    /// Step 9. Readers see the entry from now on; an answer that came from the cache is not stored again.
    private func store(_ response: APIResponse, of load: APILoad) {
        let call = load.call
        guard let key = call.cacheKey, !response.isCache,
            CacheRules.isStorable(request: call.request, response: response.http, partition: key.partition),
            let entry = CachedResponse(response.http, to: call.request, requestedAt: call.madeAt, storedAt: Date())
        else { return }
        load.service.session.cache.storeInBackground(entry, for: key, ticket: call.cacheTicket)
    }

    /// Step 10.
    private func performSuccess(
        _ result: APILoadResult, _ response: APIResponse, isAllowed: Bool
    ) -> APILoadResult {
        whileShowing(result) {
            if beforePerformSuccess(with: response), isAllowed { delegate?.managerCallAPISuccess(self) }
            afterPerformSuccess(with: response)
        }
    }

    /// The failure path.
    ///
    /// - Parameter isAllowed: what the hook that may wait has said.
    /// - Returns: the result with the message that the callbacks left it with.
    func performFailure(_ result: APILoadResult, service: Service?, isAllowed: Bool = true) -> APILoadResult {
        guard let error = result.error else { return result }
        let response = result.response
        return whileShowing(result) {
            let serviceAllows = service?.shouldCallBackByFailedOnCallingAPI(error, response: response) ?? true
            let managerAllows = beforePerformFail(with: error, response: response)
            if serviceAllows, managerAllows, isAllowed { delegate?.managerCallAPIFailed(self) }
            afterPerformFail(with: error, response: response)
        }
    }
}

extension APIError {
    /// Changes the kind, and the message with it unless somebody has worded it already.
    fileprivate mutating func become(_ newType: APIErrorType, because words: String) {
        if message == type.userMessage { message = newType.userMessage }
        type = newType
        reason = words + " " + reason
    }
}
