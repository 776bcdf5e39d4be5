import Dispatch

/// Runs an actor on a serial dispatch queue of its own: blocking system calls in the actor then hold a thread of that
/// queue and never one of the cooperative pool. Jobs run in the order they were enqueued.
package final class QueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    package init(label: String, qos: DispatchQoS) { queue = DispatchQueue(label: label, qos: qos) }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedSerialExecutor()
        queue.async { job.runSynchronously(on: executor) }
    }

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}
