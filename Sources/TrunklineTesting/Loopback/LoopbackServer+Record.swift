import Foundation

extension LoopbackServer {
    /// The requests in the order they came in, each since it was given to its handler: when it was received in whole, or
    /// after its head where the route answers early. At most ``LoopbackOptions/recordLimit``.
    public var requests: [LoopbackRequest] { core.record.withLock { $0.newestRequests } }

    /// The requests whose bodies were cut off by the end of their connections, whichever side ended them, as far as they
    /// were received.
    public var abandonedRequests: [LoopbackRequest] { core.record.withLock { $0.abandoned } }

    /// How many requests came in, kept or not.
    public var requestCount: Int { core.record.withLock { $0.requestCount } }

    /// How many requests of any method came in for the decoded path, kept or not.
    public func requestCount(path: String) -> Int {
        core.record.withLock { $0.counts[path, default: 0] }
    }

    /// How many connections were accepted in all.
    public var connectionCount: Int { core.record.withLock { $0.connectionCount } }

    /// How many connections are open now.
    public var openConnections: Int { core.record.withLock { $0.openConnections } }

    /// How many request bodies were received to their last byte; requests without a body do not count.
    public var completeBodies: Int { core.record.withLock { $0.completeBodies } }

    /// Every byte received on a connection, at most ``LoopbackOptions/rawBytesLimit``. Empty for an unknown number.
    public func rawBytes(connection: Int) -> Data {
        core.record.withLock { $0.raw[connection] ?? Data() }
    }

    /// Forgets the requests, the received bytes and their counts. Connections keep their numbers and stay counted.
    public func clearRecord() {
        core.record.withLock { $0.clear() }
    }

    /// Waits until so many requests have come in, since the start or ``clearRecord()``.
    ///
    /// - Returns: Whether they came before the timeout, the end of the server and the cancellation of the task.
    public func waitForRequests(_ count: Int, timeout: Duration = .seconds(60)) async -> Bool {
        await wait(for: .requests(count), timeout)
    }

    /// Waits until so many requests have come in for the decoded path; else as ``waitForRequests(_:timeout:)``.
    public func waitForRequests(_ count: Int, path: String, timeout: Duration = .seconds(60)) async -> Bool {
        await wait(for: .requestsOf(path: path, count), timeout)
    }

    /// Waits until so many connections have been accepted in all; else as ``waitForRequests(_:timeout:)``.
    public func waitForConnections(_ count: Int, timeout: Duration = .seconds(60)) async -> Bool {
        await wait(for: .connections(count), timeout)
    }

    /// Waits until no connection is open, or no more than `count`; else as ``waitForRequests(_:timeout:)``.
    public func waitForConnectionsClosed(downTo count: Int = 0, timeout: Duration = .seconds(60)) async -> Bool {
        await wait(for: .openConnections(atMost: count), timeout)
    }

    private func wait(for condition: LoopbackRecord.Condition, _ timeout: Duration) async -> Bool {
        let core = core
        let waiter = Protected<Int?>(nil)
        let deadline = ContinuousClock.now + timeout
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let entry = LoopbackRecord.Waiter(condition: condition) { continuation.resume(returning: $0) }
                let (id, holds) = core.record.withLock { ($0.add(entry), $0.holds(condition)) }
                guard let id else {
                    continuation.resume(returning: holds)
                    return
                }
                waiter.withLock { $0 = id }
                if Task.isCancelled || !core.mailbox.post(.expireWaiter(id, at: deadline)) { core.expire(waiter: id) }
            }
        } onCancel: {
            if let id = waiter.current { core.expire(waiter: id) }
        }
    }
}
