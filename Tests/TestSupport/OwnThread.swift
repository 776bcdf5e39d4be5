import Foundation
import TrunklineHTTP

/// An actor with a thread of its own, which lives as long as the actor.
///
/// What is isolated to it may compute or block for as long as it likes: the threads of Swift's concurrency, of which
/// there are only as many as cores, stay with the other tests. Task-local values are kept, so issues recorded here
/// belong to the test that called.
package actor OwnThread {
    private nonisolated let executor = ThreadExecutor()

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init() { executor.start() }

    deinit { executor.end() }

    func run<Value: Sendable>(_ work: @Sendable () throws -> Value) rethrows -> Value { try work() }

    func run<Value: Sendable>(
        _ work: @Sendable (isolated OwnThread) async throws -> Value
    ) async rethrows -> Value {
        try await work(self)
    }
}

/// Runs blocking or long work on a thread of its own and waits for it without holding a thread of the pool.
package func onThread<Value: Sendable>(_ work: @Sendable () throws -> Value) async rethrows -> Value {
    try await OwnThread().run(work)
}

/// The same for work that awaits in between: `onThread { (_: isolated OwnThread) in … }`. What it calls with `await`
/// runs where that belongs; the rest runs on the thread.
package func onThread<Value: Sendable>(
    _ work: @Sendable (isolated OwnThread) async throws -> Value
) async rethrows -> Value {
    try await OwnThread().run(work)
}

/// Runs the jobs of one actor on one thread, in order.
private final class ThreadExecutor: SerialExecutor {
    private struct State: Sendable {
        var jobs: [UnownedJob] = []
        var hasEnded = false
    }

    private let state = Protected(State())
    /// Signalled once for each job, and once for the end.
    private let news = DispatchSemaphore(value: 0)

    func start() {
        let thread = Thread { self.runJobs() }
        thread.name = "test-work"
        // Debug builds under a sanitizer have large frames.
        thread.stackSize = 8 << 20
        thread.start()
    }

    func end() {
        state.withLock { $0.hasEnded = true }
        news.signal()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
        news.signal()
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    private func runJobs() {
        while true {
            news.wait()
            let job = state.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
            if let job {
                job.runSynchronously(on: asUnownedSerialExecutor())
            } else if state.withLock({ $0.hasEnded }) {
                return
            }
        }
    }
}
