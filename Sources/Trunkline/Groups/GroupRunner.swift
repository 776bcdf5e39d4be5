/// Runs the members of a group as its schedule says, as child tasks of the caller's: none outlives the call.
enum GroupRunner {
    /// How a run ended.
    struct Ending: Sendable {
        var schedule: GroupSchedule
        /// Whether the caller's task was cancelled before the last member had ended.
        var isCancelled: Bool
    }

    /// - Parameters:
    ///   - work: runs a member; called once for each that starts.
    ///   - settle: gets the end of each member that was started, one after the other, before any that depends on it
    ///     starts.
    static func run<Value: Sendable>(
        _ schedule: GroupSchedule, feed: GroupProgressFeed, work: @escaping @Sendable (Int) async throws -> Value,
        settle: (Int, Result<Value, any Error>) -> Void
    ) async -> Ending {
        var schedule = schedule
        let isCancelled = await withTaskGroup(of: (Int, Result<Value, any Error>).self) { group in
            // A member can't be cancelled before it starts, so a group cancelled by now starts none.
            if Task.isCancelled { _ = schedule.stopAll() }
            var actions = schedule.begin()
            while true {
                for member in actions.start {
                    group.addTask {
                        do {
                            return (member, .success(try await work(member)))
                        } catch {
                            return (member, .failure(error))
                        }
                    }
                }
                if actions.stopsRunning { group.cancelAll() }
                feed.update(completed: schedule.completed)
                guard let (member, result) = await group.next() else { break }
                if Task.isCancelled { _ = schedule.stopAll() }
                settle(member, schedule.isStopped ? result.mapError(Self.stopped) : result)
                actions = schedule.finish(member, succeeded: (try? result.get()) != nil)
            }
            return Task.isCancelled
        }
        return Ending(schedule: schedule, isCancelled: isCancelled)
    }

    /// A member that ended because it was told to, in the group's words; other errors as they are.
    private static func stopped(_ error: any Error) -> any Error {
        GroupError.isCancellation(error) ? GroupError.cancelled : error
    }
}
