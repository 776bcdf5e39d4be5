extension EventReporter {
    /// Tells of a wait around the work that waits.
    func waiting(for reason: Event.WaitReason) -> Int {
        begin(.waitStarted(reason)) { [.waitEnded(reason, $0)] }
    }

    /// Tells that a wait is over.
    func waited(_ token: Int, for reason: Event.WaitReason, _ error: (any Error)? = nil) {
        end(token, [.waitEnded(reason, error.map { HTTPError($0) })])
    }
}

extension EventReporter? {
    /// Runs work that waits, and tells of it where somebody hears.
    func waiting<Value>(
        for reason: Event.WaitReason, _ work: () async throws -> Value
    ) async throws -> Value {
        guard let reporter = self else { return try await work() }
        let token = reporter.waiting(for: reason)
        do {
            let value = try await work()
            reporter.waited(token, for: reason)
            return value
        } catch {
            reporter.waited(token, for: reason, error)
            throw error
        }
    }

    /// Runs work that waits for a refreshed credential, and tells of it where somebody hears.
    func refreshing<Value>(_ work: () async throws -> Value) async throws -> Value {
        guard let reporter = self else { return try await work() }
        let token = reporter.begin(.refreshStarted) { [.refreshEnded($0)] }
        do {
            let value = try await work()
            reporter.end(token, [.refreshEnded(nil)])
            return value
        } catch {
            reporter.end(token, [.refreshEnded(EventReporter.failure(error))])
            throw error
        }
    }
}

extension EventReporter {
    fileprivate static func failure(_ error: any Error) -> HTTPError {
        (error as? AuthenticationFailure).map { .authentication($0) } ?? HTTPError(error)
    }
}
