/// What follows when a load fails because nobody is logged in.
extension Service {
    /// The loads that failed with `.tokenError` or `.needLogin` from now on, after their delegates have heard, until the
    /// service is released. A reader who falls more than 64 behind misses the oldest.
    public var events: AsyncStream<ServiceEvent> { eventHub.stream() }

    /// Loads again what failed with `.tokenError` or `.needLogin` since the last call, each load once, in order: to be called
    /// when the user has logged in. Delegates hear of the new loads as of any; who awaited the failed ones has had its
    /// answer.
    ///
    /// A load that has succeeded since is left alone, and so is one whose manager was released. A list loads the page that
    /// is next.
    ///
    /// - Returns: the number of loads made.
    @discardableResult
    public func resumeAfterLogin() -> Int {
        loginQueue.takeAll().count { manager, plan in
            manager.resumedPlan(plan).flatMap { manager.beginLoad($0) } != nil
        }
    }

    /// Forgets the loads that wait for a log-in: for a user who doesn't.
    public func forgetFailedLoads() { _ = loginQueue.takeAll() }

    /// A load has ended.
    func loadEnded(_ manager: BaseAPIManager, _ plan: APILoadPlan, _ result: APILoadResult) {
        guard let error = result.error else { return loginQueue.remove(manager, plan) }
        let load = ServiceEvent.FailedLoad(requestID: result.id, error: error, manager: manager)
        switch error.type {
        case .tokenError: tell(.tokenInvalid(load), manager, plan)
        case .needLogin: tell(.needLogin(load), manager, plan)
        default: break
        }
    }

    private func tell(_ event: ServiceEvent, _ manager: BaseAPIManager, _ plan: APILoadPlan) {
        loginQueue.insert(manager, plan)
        eventHub.send(event)
        onEvent?(event)
    }
}
