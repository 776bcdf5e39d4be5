import Foundation

/// Keeps the one current credential of a session, and refreshes it through an ``Authenticator``, once for all requests.
///
/// ```swift
/// let tokens = RefreshingAuthentication(OAuth(), credential: keychain.tokens, origins: ["https://api.example.com"]) {
///     switch $0 {
///     case .refreshed(let new): keychain.tokens = new
///     case .expired: showLogIn()
///     }
/// }
/// let session = SessionManager(configuration: SessionConfiguration(authentication: tokens))
/// ```
///
/// - A refresh begins when a request finds the credential due (``Authenticator/needsRefresh(_:now:)``) or its answer
///   refuses it (``Authenticator/isRejected(_:with:)``). One runs at a time; requests that need it meanwhile wait, and
///   those that come new wait as well, so that nothing is sent with a credential that is being replaced. All get the same
///   result.
/// - A request whose answer refuses a credential older than the current one is sent again with the current one, with no
///   refresh. A request is sent again once: when its replay is refused too, that answer stands.
/// - A refresh that is refused (``Authenticator/endsSession(_:)``) fails all who wait with one error,
///   ``HTTPError/authentication(_:)``, and is one ``AuthenticationEvent/expired(_:)``. The credential is dropped; later
///   requests fail at once with the same error until a new one is set. After other failures the credential stays.
/// - Cancelling a request that waits ends that request alone. The refresh goes on, also when nobody waits any more, since
///   its answer may have the only valid refresh token.
/// - ``logOut()`` and ``setCredential(_:)`` are allowed at any moment. The result of a refresh that ran is discarded. A
///   request that began before a log-out is not sent again after it, not as another user either.
///
/// All members may be used from any thread.
public final class RefreshingAuthentication<Scheme: Authenticator>: Authentication {
    /// A credential of the scheme.
    public typealias Credential = Scheme.Credential

    /// What is known of the credential.
    public let authenticator: Scheme
    public let origins: Set<Origin>
    /// Whether requests fail while there is no credential, by default true, or are sent without one.
    public let requiresCredential: Bool

    private let machine: Protected<RefreshMachine<Credential>>
    private let limits: RefreshLimits
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Date
    private let onEvent: (@Sendable (AuthenticationEvent<Credential>) -> Void)?
    private let events = DispatchQueue(label: "trunkline-authentication-events")

    /// Makes an authentication.
    ///
    /// - Parameters:
    ///   - authenticator: what the app knows of its credential.
    ///   - credential: the credential to begin with, or nil before the log-in.
    ///   - origins: where the credential may go, `["https://api.example.com"]`.
    ///   - requiresCredential: whether requests fail with ``AuthenticationFailure/Reason/noCredential`` while there is no
    ///     credential; when false they are sent without one. After a refused refresh they fail in either case.
    ///   - limits: what keeps refreshes from going wrong for ever.
    ///   - onEvent: hears of new and expired credentials, each once, in their order, on a queue of its own.
    ///   - clock: measures ``RefreshLimits/timeout``.
    ///   - now: the wall clock, for expiry and ``RefreshLimits/window``.
    public init(
        _ authenticator: Scheme, credential: Credential? = nil, origins: Set<Origin>, requiresCredential: Bool = true,
        limits: RefreshLimits = RefreshLimits(),
        onEvent: (@Sendable (AuthenticationEvent<Credential>) -> Void)? = nil,
        clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.authenticator = authenticator
        self.origins = origins
        self.requiresCredential = requiresCredential
        self.limits = limits
        self.clock = clock
        self.now = now
        self.onEvent = onEvent
        machine = Protected(RefreshMachine(credential: credential, limits: limits))
    }

    /// The current credential, or nil: before the log-in, after a log-out, and after a refused refresh.
    public var credential: Credential? { machine.withLock { $0.credential } }

    /// Sets the credential, after a log-in or from elsewhere. Requests that wait for a refresh go on with it. Where it is
    /// another user's, call ``logOut()`` first, so that nothing of the one before is sent with it.
    public func setCredential(_ credential: Credential) {
        perform(machine.withLock { $0.set(credential) })
    }

    /// Withdraws the credential. Requests that wait for a refresh fail with ``AuthenticationFailure/Reason/loggedOut``.
    /// Those under way are left alone, and are not sent again. No event.
    public func logOut() {
        perform(machine.withLock { $0.logOut() })
    }

    public var credentialFields: [String] { authenticator.credentialFields }

    public func attempt(
        for request: HTTPRequest, using sender: AuthenticationSender
    ) -> (any AuthenticationAttempt)? {
        if AuthenticationScope.isInside(self) { return nil }
        let (epoch, mayPass) = machine.withLock { ($0.epoch, !requiresCredential && $0.isUnset) }
        return mayPass ? nil : RefreshingAttempt(owner: self, epoch: epoch, sender: sender)
    }

    // MARK: - For the attempts

    /// How many requests wait for the refresh that runs.
    var waiterCount: Int { machine.withLock { $0.waiterCount } }

    /// The credential that is used now, with no wait.
    func current(epoch: Int) throws(AuthenticationFailure) -> Credential {
        try machine.withLock { machine throws(AuthenticationFailure) in try machine.current(epoch: epoch).get() }
    }

    /// Waits for a credential that is neither due nor the unwanted one.
    ///
    /// - Parameters:
    ///   - unwanted: the credential that was refused.
    ///   - epoch: when the request began.
    ///   - rejection: the answer that refused it.
    func credential(
        replacing unwanted: Credential?, epoch: Int, after rejection: HTTPResponse?, using sender: AuthenticationSender
    ) async throws -> Credential {
        var unwanted = unwanted
        // Keyed by the credential that is due: one that has come meanwhile is taken as it is.
        if unwanted == nil, let credential, authenticator.needsRefresh(credential, now: now()) { unwanted = credential }
        let (settled, id) = machine.withLock { machine in
            (machine.settled(replacing: unwanted, epoch: epoch), machine.nextWaiter())
        }
        if let settled { return try settled.get() }
        try Task.checkCancellation()
        let told = sender.events?.begin(.refreshStarted) { [.refreshEnded($0)] }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation {
                (continuation: CheckedContinuation<RefreshMachine<Credential>.Outcome?, Never>) in
                let time = now()
                let answer = machine.withLock { machine in
                    machine.ask(replacing: unwanted, epoch: epoch, now: time, waiter: id) {
                        continuation.resume(returning: $0)
                    }
                }
                switch answer {
                case .settled(let outcome): continuation.resume(returning: outcome)
                case .waiting: break
                case .start(let flight, let credential): start(flight, credential, after: rejection, using: sender)
                }
                // A cancel that came before the waiter was in its place found nobody to wake.
                if Task.isCancelled { leave(id) }
            }
        } onCancel: {
            leave(id)
        }
        if let told { sender.events?.end(told, [.refreshEnded(RefreshingAuthentication.failure(outcome))]) }
        guard let outcome else { throw HTTPError.cancelled }
        return try outcome.get()
    }

    private static func failure(_ outcome: RefreshMachine<Credential>.Outcome?) -> HTTPError? {
        switch outcome {
        case nil: .cancelled
        case .success: nil
        case .failure(let failure): .authentication(failure)
        }
    }

    // MARK: - The machine's owner

    private func leave(_ id: Int) {
        machine.withLock { $0.leave(id) }?(nil)
    }

    private func start(
        _ flight: Int, _ credential: Credential, after rejection: HTTPResponse?, using sender: AuthenticationSender
    ) {
        let refresh = Task {
            do {
                let new = try await AuthenticationScope.run(for: self) { [authenticator] in
                    try await authenticator.refresh(credential, after: rejection, using: sender)
                }
                end(flight, .success(new), after: rejection)
            } catch {
                let reason: AuthenticationFailure.Reason =
                    authenticator.endsSession(error) ? .refreshRefused : .refreshFailed
                end(flight, .failure(AuthenticationFailure(reason: reason, underlying: error)), after: rejection)
            }
        }
        let timer = Task { [clock, limits] in
            guard (try? await clock.sleep(for: limits.timeout)) != nil else { return }
            let failure = AuthenticationFailure(reason: .refreshFailed, underlying: HTTPError.timedOut(.total))
            end(flight, .failure(failure), after: rejection)
        }
        let tasks = [refresh, timer]
        if !machine.withLock({ $0.keep(tasks, of: flight) }) { tasks.forEach { $0.cancel() } }
    }

    private func end(_ flight: Int, _ outcome: RefreshMachine<Credential>.Outcome, after rejection: HTTPResponse?) {
        let ending = machine.withLock { machine in
            let ending = machine.finish(flight, outcome)
            // Within the lock, so that events have the order of what happened.
            if ending != nil { announce(outcome, after: rejection) }
            return ending
        }
        perform(ending)
    }

    private func announce(_ outcome: RefreshMachine<Credential>.Outcome, after rejection: HTTPResponse?) {
        guard let onEvent else { return }
        switch outcome {
        case .success(let credential):
            events.async { onEvent(.refreshed(credential)) }
        case .failure(var failure) where failure.reason == .refreshRefused:
            failure.response = rejection
            events.async { [failure] in onEvent(.expired(failure)) }
        case .failure:
            break
        }
    }

    private func perform(_ ending: RefreshMachine<Credential>.Ending?) {
        guard let ending else { return }
        for task in ending.tasks { task.cancel() }
        for waiter in ending.waiters { waiter(ending.outcome) }
    }
}
