import Foundation

/// Polls until the condition holds; false when it has not by the deadline.
///
/// The condition is checked where the caller runs. The deadline is no measurement, only the end of a hopeless wait, so
/// it is long enough for a busy machine; where a test is about time, it gives a limit of its own.
package func eventually(
    within limit: Duration = .seconds(30), isolation: isolated (any Actor)? = #isolation,
    _ condition: () -> Bool
) async -> Bool {
    let deadline = ContinuousClock.now + limit
    while !condition() {
        if ContinuousClock.now > deadline { return condition() }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return true
}

/// The same for code in `onThread`, which may block.
package func waitUntil(within limit: Duration = .seconds(30), _ condition: () -> Bool) -> Bool {
    let deadline = ContinuousClock.now + limit
    while !condition() {
        if ContinuousClock.now > deadline { return condition() }
        usleep(1000)
    }
    return true
}
