/// A clock as a line of durations: what the stages that wait reckon with, whatever clock was injected.
struct Timeline: Sendable {
    /// No wait is longer, some 136 years: sums of two such are safe on every clock.
    static let longest = Duration.seconds(Int64(1) << 32)

    /// The time since the line was made.
    let now: @Sendable () -> Duration
    private let wait: @Sendable (Duration) async throws -> Void

    init(_ clock: some Clock<Duration>) {
        let start = clock.now
        now = { start.duration(to: clock.now) }
        wait = { try await clock.sleep(for: $0) }
    }

    /// Sleeps; throws `CancellationError` when the task is cancelled meanwhile.
    func sleep(for duration: Duration) async throws {
        try await wait(min(max(duration, .zero), Timeline.longest))
    }
}
