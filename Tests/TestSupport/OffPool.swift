import Foundation

/// Runs async work on a queue of its own, with everything it calls that has no executor of its own: what it measures is
/// then the work's time and not that of a busy pool.
///
/// Where the system has no task executors (before macOS 15, iOS 18) it runs on the pool.
package func offPool<Value: Sendable>(_ work: @Sendable () async -> Value) async -> Value {
    if #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *) {
        await withTaskExecutorPreference(QueueTaskExecutor()) { await work() }
    } else {
        await work()
    }
}

@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
private final class QueueTaskExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "test-off-pool")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
