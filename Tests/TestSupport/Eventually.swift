import Foundation
import TrunklineHTTP

/// How long a hopeless wait lasts: no measurement, so it is long enough for a busy machine, and for a sanitizer.
package let patience: Duration = Sanitizer.isThread ? .seconds(150) : .seconds(60)

extension Timeouts {
    /// For requests of tests that are not about time: none is to fail because the machine was busy for a default's 10 or 15 s.
    package static let patient = Timeouts(connect: .seconds(60), idle: .seconds(60))
}

/// Polls until the condition holds; false when it has not by the deadline.
///
/// The condition is checked where the caller runs, less and less often, since hundreds of tests may poll the main actor at
/// once. Where a test is about time, it gives a limit of its own.
package func eventually(
    within limit: Duration = patience, isolation: isolated (any Actor)? = #isolation,
    _ condition: () -> Bool
) async -> Bool {
    let deadline = ContinuousClock.now + limit
    var pause = Duration.milliseconds(2)
    while !condition() {
        if ContinuousClock.now > deadline { return condition() }
        try? await Task.sleep(for: pause)
        pause = min(pause * 1.2, .milliseconds(50))
    }
    return true
}

/// The same for code in `onThread`, which may block.
package func waitUntil(within limit: Duration = patience, _ condition: () -> Bool) -> Bool {
    let deadline = ContinuousClock.now + limit
    while !condition() {
        if ContinuousClock.now > deadline { return condition() }
        usleep(1000)
    }
    return true
}
