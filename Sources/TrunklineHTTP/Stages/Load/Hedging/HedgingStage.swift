/// Sends a slow request again and takes the first good answer.
///
/// The innermost of the stages under "limits": outside the queue its delay would count the wait there, and a crowd in the
/// queue would be answered with more requests. For the same reason it takes only what is free for its extra attempts.
/// Outside the redirects, so that an attempt is a whole chain.
struct HedgingStage: Interceptor {
    let defaultPolicy: HedgingPolicy?
    let timeline: Timeline
    /// Leave for one more attempt to this host, if it is to be had at once.
    let permit: @Sendable (Origin) -> HedgePermit?

    func intercept(_ exchange: Exchange, next: Next) async throws -> HTTPResponse {
        guard let policy = exchange.request.options.hedging ?? defaultPolicy, policy.applies(to: exchange.request)
        else { return try await next(exchange) }
        var exchange = exchange
        exchange.progress = exchange.progress?.furthest()
        return try await race(exchange, policy, next)
    }

    private enum Happening: Sendable {
        case delayPassed
        case ended(attempt: Int, Result<HTTPResponse, any Error>)
    }

    private func race(_ exchange: Exchange, _ policy: HedgingPolicy, _ next: Next) async throws -> HTTPResponse {
        let outcome = await withTaskGroup(of: Happening.self) { group -> Result<HTTPResponse, any Error> in
            func send(attempt: Int, _ permit: HedgePermit?) {
                group.addTask {
                    defer { permit?.release() }
                    do {
                        return .ended(attempt: attempt, .success(try await next(exchange)))
                    } catch {
                        return .ended(attempt: attempt, .failure(error))
                    }
                }
            }
            func startDelay() {
                group.addTask { [timeline] in
                    try? await timeline.sleep(for: policy.delay)
                    return .delayPassed
                }
            }
            defer { group.cancelAll() }
            var machine = HedgeMachine(maximumAttempts: policy.maximumAttempts)
            var outcomes: [Int: Result<HTTPResponse, any Error>] = [:]
            send(attempt: 0, nil)
            startDelay()
            while let happening = await group.next() {
                switch happening {
                case .delayPassed:
                    guard !Task.isCancelled, machine.wantsAnother else { continue }
                    if let permit = permit(Origin(exchange.request.url)) { send(attempt: machine.start(), permit) }
                    if machine.wantsAnother { startDelay() }
                case .ended(let attempt, let outcome):
                    outcomes[attempt] = outcome
                    guard case .deliver(let attempt) = machine.end(attempt: attempt, isGood: outcome.isGood) else {
                        continue
                    }
                    return outcomes[attempt] ?? outcome
                }
            }
            return .failure(HTTPError.cancelled)
        }
        return try outcome.get()
    }
}

extension Result where Success == HTTPResponse {
    /// Whether it is an answer that ends the race.
    fileprivate var isGood: Bool {
        if case .success(let response) = self { response.statusCode < 500 } else { false }
    }
}

extension ProgressObserver {
    /// Hears several attempts as one: only what is further than everything before.
    fileprivate func furthest() -> ProgressObserver {
        func furthest(_ observer: (@Sendable (TransferProgress) -> Void)?) -> (@Sendable (TransferProgress) -> Void)? {
            guard let observer else { return nil }
            let most = Protected<Int64>(-1)
            return { progress in
                let isFurther = most.withLock { most in
                    guard progress.completed > most else { return false }
                    most = progress.completed
                    return true
                }
                if isFurther { observer(progress) }
            }
        }
        return ProgressObserver(sent: furthest(sent), received: furthest(received))
    }
}
