import Foundation

/// A group that runs, in the hands of the one who started it.
///
/// - Keep it for as long as the result matters: when the last reference goes, the group is cancelled.
/// - It ends exactly once. The completion is called once, also after a cancel.
/// - After ``cancel()`` was called on the completion's executor, the completion hears of the cancellation and of nothing
///   else. A cancel after the completion changes nothing.
///
/// All members may be used from any thread.
public final class GroupRun<Output: Sendable>: Sendable {
    private let feed: GroupProgressFeed
    private let ending: GroupEnding<Output>
    private let task: Task<Output, Never>

    /// Starts the work.
    ///
    /// - Parameters:
    ///   - whenCancelled: the output of a group that was cancelled.
    ///   - deliver: takes the output to the completion's executor and settles it there.
    init(
        feed: GroupProgressFeed, whenCancelled: @escaping @Sendable (Output) -> Output,
        deliver: @escaping @Sendable (@escaping @Sendable () -> Output) async -> Void,
        work: @escaping @Sendable (GroupProgressFeed) async -> Output
    ) {
        let ending = GroupEnding(whenCancelled: whenCancelled)
        self.feed = feed
        self.ending = ending
        // Holds no reference to the run, whose release must be noticed.
        task = Task {
            let output = await work(feed)
            feed.finish()
            await deliver { ending.settle(output) }
            return output
        }
    }

    deinit { cancel() }

    /// Cancels every member that has not ended. May be called any number of times.
    public func cancel() {
        ending.cancel()
        task.cancel()
    }

    /// How far the group is now.
    public var progress: GroupProgress { feed.progress }

    /// The progress now, then every newer one; a slow reader gets the newest. Ends with the group. Each call gives a
    /// stream of its own.
    public var progressUpdates: AsyncStream<GroupProgress> { feed.stream() }

    /// Waits for the end. Cancelling the waiting task cancels the group.
    public var output: Output {
        get async {
            let output = await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                cancel()
            }
            return ending.settle(output)
        }
    }
}

extension GroupRun {
    /// Delivers to the main actor.
    static func toMainActor(
        _ completion: @escaping @MainActor @Sendable (Output) -> Void
    ) -> @Sendable (@escaping @Sendable () -> Output) async -> Void {
        { settle in await MainActor.run { completion(settle()) } }
    }

    /// Delivers to a queue.
    static func to(
        _ queue: DispatchQueue, _ completion: @escaping @Sendable (Output) -> Void
    ) -> @Sendable (@escaping @Sendable () -> Output) async -> Void {
        { settle in
            // Waits, so that nobody sees the end before the completion has run.
            await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                queue.async {
                    completion(settle())
                    done.resume()
                }
            }
        }
    }
}
