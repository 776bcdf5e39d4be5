import Dispatch

/// Where cache files are read: a few queues, so that one slow disk doesn't hold up all readers, and many readers are few
/// threads.
enum CacheQueues {
    private static let queues = (0..<4).map { DispatchQueue(label: "Trunkline.CacheQueues.\($0)", qos: .userInitiated) }
    private static let turn = Protected(0)

    /// Does blocking work away from the threads of Swift concurrency.
    static func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        let turn = turn.withLock { turn in
            turn = (turn &+ 1) & 3
            return turn
        }
        return await withCheckedContinuation { continuation in
            queues[turn].async { continuation.resume(returning: work()) }
        }
    }
}
