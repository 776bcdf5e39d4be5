/// The stages of a session that share something between its requests, made once for the session and not for each
/// request's pipeline.
package struct LoadStages: Sendable {
    /// Stage 3.
    let coalescing: CoalescingStage
    /// What the requests of stage 4 ask about at the same time.
    let cacheFlights = CacheFlights()
    /// Before stage 7.
    let connectivity: ConnectivityStage
    /// The last under stage 7.
    let hedging: HedgingStage
    /// Stage 7, what is on of it, in its order:
    ///
    /// 1. the circuit breaker's gate: what would be refused in the end isn't queued first;
    /// 2. the places of ``RequestLimits``, by priority;
    /// 3. the tokens of the ``RateLimit``, taken last so that the rate holds for what is sent and not for what is queued;
    /// 4. the circuit breaker itself, since the circuit may have opened meanwhile;
    /// 5. ``hedging``, whose delay counts from sending.
    let limits: [any Interceptor]
    /// Who keeps the places, where they are limited.
    let limiter: RequestLimiter?

    init(_ configuration: SessionConfiguration, clock: any Clock<Duration> = ContinuousClock()) {
        coalescing = CoalescingStage(isOn: configuration.coalescesRequests)
        connectivity = ConnectivityStage(
            defaultPolicy: configuration.connectivity, reachability: configuration.reachability,
            timeline: Timeline(clock))

        let breaker = configuration.circuitBreaker
        let limiter =
            configuration.limits.isLimiting ? RequestLimiter(configuration.limits, clock: clock) : nil
        let rate = configuration.rateLimit.map { RateLimiter($0, clock: clock) }
        self.limiter = limiter
        hedging = HedgingStage(
            defaultPolicy: configuration.hedging, timeline: Timeline(clock),
            permit: { origin in
                guard breaker?.isClosed(origin) != false else { return nil }
                var slot: LimitSlot?
                if let limiter {
                    slot = limiter.acquireNow(origin)
                    if slot == nil { return nil }
                }
                guard rate?.takeNow(origin) != false else { return nil }
                return HedgePermit(slot: slot)
            })

        var limits: [any Interceptor] = []
        if let breaker { limits.append(CircuitGateStage(breaker: breaker)) }
        if let limiter { limits.append(LimitsStage(limiter: limiter)) }
        if let rate { limits.append(RateLimitStage(limiter: rate)) }
        if let breaker { limits.append(CircuitStage(breaker: breaker)) }
        self.limits = limits
    }
}
