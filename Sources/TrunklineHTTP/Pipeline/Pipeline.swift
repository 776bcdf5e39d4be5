/// The way of a request, in one place: the stages in their order, outermost first.
package enum Pipeline {
    /// Builds the pipeline of one request.
    package static func next(
        configuration: SessionConfiguration, cache: ResponseCache, interceptors: [any Interceptor],
        transport: any Transport
    ) -> Next {
        var stages: [any Interceptor] = []

        // 1 Events: first and last to see every exchange. (Room: Events/.)

        // 2 Interceptors: the user's, the session's, then the service's, then the request's.
        stages += interceptors

        // 3 Coalescing: identical safe requests in flight share one exchange. (Opt-in.)

        // 4 Cache: explicit policies.
        stages.append(CacheStage(cache: cache, defaultPolicy: configuration.cachePolicy))

        // 5 Authentication: credential applied, refreshed once for all, replayed once.

        // 6 Retry: policy, backoff with jitter, `Retry-After`.
        stages.append(RetryStage(defaultPolicy: configuration.retry))

        // 7 Limits: per-host concurrency, priority, rate, circuit breaker. (Opt-in.)

        // 8 Redirects: the library's own policy; transports follow none.
        stages.append(RedirectStage(defaultPolicy: configuration.redirects))

        //   Cookies, anew for each hop. (Opt-in.)
        if let cookies = configuration.cookies { stages.append(CookieStage(store: cookies)) }

        // 9 Transport: URLSession, libcurl or a stub.
        return Next(stages: stages, transport: transport)
    }
}
