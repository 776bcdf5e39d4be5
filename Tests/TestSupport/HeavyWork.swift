/// One piece of heavy work at a time: fuzzing, long tables, child processes, large bodies.
///
/// All suites run in one process, side by side. Heavy work runs on a thread of its own and one after the other, so that
/// a second core is left to the tests that measure time.
package enum HeavyWork {
    private static let turns = Turns()

    /// Waits for a turn, then runs the work as `onThread` does. Not to be nested: the inner call would wait for the
    /// outer one.
    package static func run<Value: Sendable>(_ work: @Sendable () throws -> Value) async rethrows -> Value {
        await turns.take()
        do {
            let value = try await onThread(work)
            await turns.give()
            return value
        } catch {
            await turns.give()
            throw error
        }
    }

    /// The same for work that awaits in between: `HeavyWork.run { (_: isolated OwnThread) in … }`.
    package static func run<Value: Sendable>(
        _ work: @Sendable (isolated OwnThread) async throws -> Value
    ) async rethrows -> Value {
        await turns.take()
        do {
            let value = try await onThread(work)
            await turns.give()
            return value
        } catch {
            await turns.give()
            throw error
        }
    }
}

/// Lets one caller through at a time, in the order they came.
private actor Turns {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func take() async {
        guard isTaken else {
            isTaken = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// The next one that waits has the turn at once.
    func give() {
        if waiting.isEmpty {
            isTaken = false
        } else {
            waiting.removeFirst().resume()
        }
    }
}
