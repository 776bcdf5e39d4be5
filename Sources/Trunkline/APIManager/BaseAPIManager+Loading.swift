import Foundation

/// The way of a load, in the order the type's documentation promises.
extension BaseAPIManager {
    /// Steps 1 to 3 and the building of the request, at once; the rest follows in ``run(_:)``.
    func beginLoad(_ plan: APILoadPlan, completion: APILoad.Completion? = nil) -> RequestID? {
        if bond?.isBroken == true {
            // The owner is gone: nothing is made, and nobody is called but those who wait.
            if let completion {
                let id = RequestID.next()
                Task { completion(APILoadResult(id: id, error: .cancelled)) }
            }
            return nil
        }
        let policy = reloadPolicy()
        switch policy {
        case .ignoreNew, .share:
            guard let current = table.all.last(where: { !$0.isCancelled }) else { break }
            // Who waits for a result shares the one in flight, also under `ignoreNew`: a wait must end.
            if let completion { current.completions.append(completion) }
            return policy == .share || completion != nil ? current.id : nil
        case .cancelPrevious:
            cancelAllRequests()
        case .allow, .queue:
            break
        }

        let id = RequestID.next()
        do throws(APIError) {
            let load = try prepareLoad(id, plan: plan, completion: completion)
            let predecessor = policy == .queue ? table.all.last : nil
            table.insert(load)
            stateHub.send(.loading(id))
            start(load, after: predecessor)
            return id
        } catch {
            refuse(id, error, completion: completion)
            return nil
        }
    }

    private func prepareLoad(
        _ id: RequestID, plan: APILoadPlan, completion: APILoad.Completion?
    ) throws(APIError) -> APILoad {
        guard let endpoint = self as? any APIManagerProtocol else {
            throw APIError(.serviceError, reason: ServiceError.notAnAPIManager("\(type(of: self))").description)
        }
        if paramSource == nil, hadParamSource {
            throw APIError(.paramsError, reason: "The param source of \(type(of: self)) has been deallocated.")
        }
        let given = paramSource?.paramsForAPI(self) ?? [:]
        let params = completedParameters(reform(given) ?? given, plan: plan)
        guard shouldCallAPI(with: params) else {
            throw APIError(.vetoed, reason: "shouldCallAPI of \(type(of: self)) or its interceptor vetoed the call.")
        }
        if case .invalid(let reason) = validate(params) {
            throw APIError(.paramsError, message: reason, reason: "The parameters were refused: \(reason)")
        }
        do {
            let service = try serviceFactory.service(for: endpoint.serviceIdentifier())
            let call = try APICall.make(self, endpoint, service: service, params: params, plan: plan)
            return APILoad(
                id: id, plan: plan, params: params, service: service, call: call, bond: bond,
                completions: completion.map { [$0] } ?? [])
        } catch let error as ServiceError {
            throw APIError(.serviceError, reason: error.description)
        } catch {
            let underlying = HTTPError(error)
            throw APIError(.requestError, reason: underlying.description, underlying: underlying)
        }
    }

    /// The service, where it can be resolved.
    var currentService: Service? {
        (self as? any APIManagerProtocol).flatMap { try? serviceFactory.service(for: $0.serviceIdentifier()) }
    }

    /// Ends a load that was never made: later, as every load ends.
    private func refuse(_ id: RequestID, _ error: APIError, completion: APILoad.Completion?) {
        let service = currentService
        Task { [weak self] in
            let result = APILoadResult(id: id, error: error)
            let shown = self?.performFailure(result, service: service)
            completion?(shown ?? result)
        }
    }

    /// Starts a load: at once where nothing has to be waited for, so that the request is under way when the call
    /// returns.
    private func start(_ load: APILoad, after predecessor: APILoad?) {
        if load.call.cacheKey == nil, !load.plan.cacheOnly, !looksForStoredAnswer(load), predecessor == nil {
            send(load)
            return
        }
        Task { [weak self] in
            if let predecessor { await predecessor.waitForEnd() }
            await self?.answerFromCacheOrSend(load)
        }
    }

    /// Step 4.
    private func answerFromCacheOrSend(_ load: APILoad) async {
        guard !load.isCancelled else { return finish(load, .failure(.cancelled)) }
        if let key = load.call.cacheKey {
            let now = Date()
            if let cached = await load.service.session.cache.response(for: key, now: now),
                CacheRules.matches(cached, load.call.request),
                load.plan.cacheOnly || cached.isFresh(maxAge: load.call.cacheLifetime, at: now),
                // Content that can't be read is a miss.
                let response = try? await cached.response(to: load.call.request, now: now)
            {
                return await conclude(load, .success(response))
            }
        }
        guard !load.plan.cacheOnly else { return finish(load, .failure(.notInCache)) }
        if looksForStoredAnswer(load) { await deliverStoredAnswer(of: load) }
        guard table[load.id] != nil else { return }
        guard !load.isCancelled else { return finish(load, .failure(.cancelled)) }
        send(load)
    }

    /// Steps 5 and 6.
    private func send(_ load: APILoad) {
        guard load.service.isReachable else {
            Task { [weak self] in self?.finish(load, .failure(.offline)) }
            return
        }
        var described = load.call.request
        // The stored answer was delivered, or there is none.
        if givesBoth(load) { described.options.cacheTurn = .server }
        let request = load.service.session.request(
            described, id: load.id, interceptors: load.call.interceptors)
        load.request = request
        inFlight.insert(request)
        afterCallAPI(with: load.params, requestID: load.id)
        // Holds the request and not the manager: a released manager cancels it.
        Task { [weak self] in
            let outcome: Result<HTTPResponse, HTTPError>
            do throws(HTTPError) {
                outcome = .success(try await request.resume().response())
            } catch {
                outcome = .failure(error)
            }
            await self?.conclude(load, outcome)
        }
    }

    /// Reads the content off the main actor, then ends the load.
    private func conclude(_ load: APILoad, _ outcome: Result<HTTPResponse, HTTPError>) async {
        inFlight.remove(load.id)
        switch outcome {
        case .failure(let error):
            finish(load, .failure(error))
        case .success(let http):
            let (response, content) = await read(http, of: load)
            finish(load, .success(response), content: content)
        }
    }

    /// Reads an answer off the main actor.
    func read(_ http: HTTPResponse, of load: APILoad) async -> (APIResponse, ReadContent) {
        let reading = AnswerReading(
            id: load.id, http: http, parameters: load.call.parameters, isJSON: responseContent() == .json,
            reader: contentReader(for: load.service))
        return await reading.read()
    }
}

/// The reading of one answer.
private struct AnswerReading: Sendable {
    let id: RequestID
    let http: HTTPResponse
    let parameters: Parameters
    let isJSON: Bool
    let reader: (@Sendable (APIResponse) -> ReadContent)?

    /// Parses, then decodes. Runs off the main actor.
    nonisolated func read() async -> (APIResponse, ReadContent) {
        let json = isJSON && !http.data.isEmpty ? try? JSONValue(parsing: http.data) : nil
        let response = APIResponse(requestID: id, http: http, parameters: parameters, json: json)
        return (response, reader?(response) ?? ReadContent())
    }
}
