/// The way of a request, in one place: the stages in their order, outermost first.
package enum Pipeline {
    /// Builds the pipeline of one request, or of all that bring no interceptors and don't ask for stages. Stages that can
    /// have nothing to do are left out, since each costs every request some time.
    ///
    /// - Parameters:
    ///   - options: those of the request; see ``asksForStages(_:)``.
    ///   - transfer: the stage of a download or an upload.
    package static func next(
        configuration: SessionConfiguration, options: RequestOptions = RequestOptions(), cache: ResponseCache,
        interceptors: [any Interceptor], transport: any Transport, retryBudgets: RetryBudgets = RetryBudgets(),
        transfer: (any Interceptor)? = nil,
        load: LoadStages? = nil
    ) -> Next {
        var stages: [any Interceptor] = []
        let load = load ?? LoadStages(configuration)
        // An interceptor may change the options that the stages after it look at.
        let isOpen = !interceptors.isEmpty || asksForStages(options)

        // 1 Events: first and last to see every exchange. (Where somebody hears them.)
        if configuration.isObserved { stages.append(EventsStage()) }

        // 2 Interceptors: the user's, the session's, then the service's, then the request's.
        stages += interceptors

        // 3 Coalescing: identical safe requests in flight share one exchange. (Opt-in.)
        if isOpen || configuration.coalescesRequests { stages.append(load.coalescing) }

        // 4 Cache: RFC 9111 and explicit policies.
        stages.append(
            CacheStage(cache: cache, defaultPolicy: configuration.cachePolicy, flights: load.cacheFlights))

        //   One idempotency key for all that the next two stages send. (Opt-in.)
        if isOpen || configuration.retry.idempotencyKeyField != nil {
            stages.append(IdempotencyKeyStage(defaultPolicy: configuration.retry))
        }

        // 5 Authentication: credential applied, refreshed once for all, replayed once. (Opt-in.)
        let authenticates = isOpen || configuration.authentication != nil
        if authenticates {
            stages.append(
                AuthenticationStage(
                    defaultAuthentication: configuration.authentication, headers: configuration.headers,
                    observation: EventObservation(configuration)))
        }

        // 6 Retry: policy, backoff with jitter, `Retry-After`, budget.
        stages.append(RetryStage(defaultPolicy: configuration.retry, budgets: retryBudgets))

        //   Downloads and uploads: each attempt goes on where the one before stopped. (The request's own.)
        if let transfer { stages.append(transfer) }

        //   Connectivity: waits for the network instead of failing. (Opt-in.)
        if isOpen || configuration.connectivity != .fail { stages.append(load.connectivity) }

        // 7 Limits: per-host concurrency, priority, rate, circuit breaker, hedging. (Opt-in.)
        stages += load.limits
        if isOpen || configuration.hedging != nil { stages.append(load.hedging) }

        // 8 Redirects: the library's own policy; transports follow none.
        stages.append(RedirectStage(defaultPolicy: configuration.redirects))

        //   The credential, anew for each hop within its origin.
        if authenticates { stages.append(CredentialStage()) }

        //   Cookies, anew for each hop. (Opt-in.)
        if let cookies = configuration.cookies { stages.append(CookieStage(store: cookies)) }

        //   Each stage so far, watched. (Where a monitor asks for it.)
        if configuration.watchesStages { stages = stages.map { WatchedStage($0) } }

        //   The trace, a span for each request that goes out. (Opt-in.)
        if configuration.tracing != nil { stages.append(TraceStage()) }

        //   The signature, anew for each attempt and each hop within its origin. (The request's own.)
        if isOpen { stages.append(SigningStage()) }

        //   Events again: what goes out. (Where somebody hears it.)
        if !configuration.eventMonitors.isEmpty { stages.append(AttemptStage()) }

        // 9 Transport: URLSession, libcurl or a stub.
        return Next(stages: stages, transport: transport)
    }

    /// Whether the options ask for stages that the configuration may have left out.
    static func asksForStages(_ options: RequestOptions) -> Bool {
        if case .use = options.authentication { return true }
        return options.retry?.idempotencyKeyField != nil || options.coalesces == true || options.connectivity != nil
            || options.hedging != nil || options.isSigned
    }
}
