import Foundation

/// The way of a load, in the order the type's documentation promises.
extension BaseAPIManager {
    /// Steps 1 to 3 and the building of the request, at once; the rest follows in ``start(_:after:)``.
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
            load.isDetached = true
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
        return try Self.reporting {
            let service = try serviceFactory.service(for: endpoint.serviceIdentifier())
            let call = try APICall.make(
                self, endpoint, service: service, params: params, plan: plan, transfer: try transferPlan(with: params))
            return APILoad(
                id: id, plan: plan, params: params, service: service, call: call, bond: bond,
                completions: completion.map { [$0] } ?? [])
        }
    }

    /// The request anew, for what the service says now.
    private func renew(_ load: APILoad) throws(APIError) {
        guard let endpoint = self as? any APIManagerProtocol else { return }
        load.renew(
            try Self.reporting {
                try APICall.make(
                    self, endpoint, service: load.service, params: load.params, plan: load.plan,
                    transfer: load.call.transfer)
            })
    }

    /// What keeps a request from being built, as the manager reports it.
    private static func reporting<Value>(_ build: () throws -> Value) throws(APIError) -> Value {
        do {
            return try build()
        } catch let error as ServiceError {
            throw APIError(.serviceError, reason: error.description)
        } catch let error as APIError {
            throw error
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
            let isAllowed = await self?.mayPerformFail(with: error, response: nil) ?? true
            let shown = self?.performFailure(result, service: service, isAllowed: isAllowed)
            completion?(shown ?? result)
        }
    }

    /// Starts a load: within the call where nothing has to be waited for, so that the request is under way when it
    /// returns.
    private func start(_ load: APILoad, after predecessor: APILoad?) {
        let turn = predecessor?.end
        load.keep(
            ImmediateTask.start { [weak self] in
                if let turn { for await _ in turn {} }
                await self?.proceed(load)
            })
    }

    /// Step 4, then the rest of the way out.
    private func proceed(_ load: APILoad) async {
        // Cancelled while it waited: its end is under way.
        guard !load.isCancelled else { return }
        let isAllowed = await mayCallAPI(with: load.params)
        guard !load.isCancelled, table.contains(load) else { return }
        guard isAllowed else {
            return end(
                load,
                with: APIError(.vetoed, reason: "mayCallAPI of \(type(of: self)) or its interceptor vetoed the call."))
        }
        // What it waited for, a log-in say, may have changed what it has to send.
        if load.isDetached {
            guard load.user == nil || load.belongsToCurrentUser else { return end(load, with: .cancelled) }
            do throws(APIError) {
                try renew(load)
            } catch {
                return end(load, with: error)
            }
        }
        if load.call.cacheKey == nil, !load.plan.cacheOnly, !looksForStoredAnswer(load) {
            sendUnlessHeld(load)
        } else {
            await answerFromCacheOrSend(load)
        }
    }

    /// Ends a load later than whatever call this is in.
    func end(_ load: APILoad, with error: APIError) {
        Task { [weak self] in await self?.finish(load, .failure(error)) }
    }

    /// Step 5.
    private func answerFromCacheOrSend(_ load: APILoad) async {
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
        guard !load.isCancelled, table.contains(load) else { return }
        guard !load.plan.cacheOnly else { return end(load, with: APIError(.notInCache)) }
        if looksForStoredAnswer(load) { await deliverStoredAnswer(of: load) }
        guard !load.isCancelled, table.contains(load) else { return }
        sendUnlessHeld(load)
    }

    private func sendUnlessHeld(_ load: APILoad) {
        load.whenResumed { [weak self, weak load] in
            guard let load, self?.table.contains(load) == true, !load.isCancelled else { return }
            self?.send(load)
        }
    }

    /// Steps 6 and 7.
    private func send(_ load: APILoad) {
        guard load.service.isReachable else { return end(load, with: APIError(.offline)) }
        let request = sessionRequest(for: load)
        load.request = request
        request.resume()
        inFlight.insert(request)
        afterCallAPI(with: load.params, requestID: load.id)
        // Holds the request and not the manager: a released manager cancels it.
        load.keep(
            Task { [weak self] in
                let outcome: Result<HTTPResponse, HTTPError>
                do throws(HTTPError) {
                    outcome = .success(try await request.response())
                } catch {
                    outcome = .failure(error)
                }
                await self?.conclude(load, outcome)
            })
    }

    /// Reads the content off the main actor, then ends the load.
    private func conclude(_ load: APILoad, _ outcome: Result<HTTPResponse, HTTPError>) async {
        inFlight.remove(load.id)
        let http: HTTPResponse
        switch outcome {
        case .failure(.validation(let refused)) where load.call.transfer != nil && !refused.response.isSuccess:
            // A transfer is judged by the session first, so that a refused one changes no file; its answer is read as any.
            http = refused.response
        case .failure(let error):
            return await finish(load, .failure(APIError(error)))
        case .success(let response):
            http = response
        }
        let (response, content) = await read(http, of: load)
        await finish(load, .success(response), content: content)
    }

    /// Reads an answer off the main actor.
    func read(_ http: HTTPResponse, of load: APILoad) async -> (APIResponse, ReadContent) {
        let reading = AnswerReading(
            id: load.id, http: http, parameters: load.call.parameters, isJSON: readsJSON(of: http),
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
