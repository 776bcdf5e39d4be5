/// What a server's loop and its users share: all of it behind locks.
final class LoopbackCore: Sendable {
    let routes: Protected<RouteTable>
    let record = Protected(LoopbackRecord())
    let mailbox: Mailbox

    init(options: LoopbackOptions) throws {
        routes = Protected(RouteTable(options: options))
        mailbox = try Mailbox()
    }

    /// Changes the record and wakes those whose condition holds now.
    func note<Result>(_ change: (inout LoopbackRecord) -> Result) -> Result {
        let (result, satisfied) = record.withLock { record in
            let result = change(&record)
            return (result, record.satisfied())
        }
        for waiter in satisfied { waiter.resume(true) }
        return result
    }

    /// Ends a wait without success, if it has not ended.
    func expire(waiter id: Int) {
        record.withLock { $0.removeWaiter(id) }?.resume(false)
    }

    /// The loop has ended: nothing more will come.
    func finish() {
        mailbox.close()
        // Handlers often capture the server; letting go of them breaks that cycle. Released outside the lock.
        let old = routes.withLock { routes in
            defer { routes = RouteTable(options: routes.options) }
            return routes
        }
        withExtendedLifetime(old) {}
        for waiter in record.withLock({ $0.stop() }) { waiter.resume(record.withLock { $0.holds(waiter.condition) }) }
    }
}
