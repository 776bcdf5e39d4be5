/// The attempts of one hedged request, as a value.
struct HedgeMachine: Hashable, Sendable {
    enum Action: Hashable, Sendable {
        /// An answer may still come.
        case wait
        /// This attempt's outcome is the request's.
        case deliver(attempt: Int)
    }

    let maximumAttempts: Int
    /// The attempts sent so far, the first included.
    private(set) var started = 1
    private var running = 1
    private var firstFailed: Int?

    init(maximumAttempts: Int) { self.maximumAttempts = maximumAttempts }

    /// Whether one more may be sent when the delay has passed once more.
    var wantsAnother: Bool { started < maximumAttempts }

    /// Another was sent; its number.
    mutating func start() -> Int {
        defer {
            started += 1
            running += 1
        }
        return started
    }

    /// An attempt has ended.
    mutating func end(attempt: Int, isGood: Bool) -> Action {
        running -= 1
        if isGood { return .deliver(attempt: attempt) }
        let first = firstFailed ?? attempt
        firstFailed = first
        return running > 0 ? .wait : .deliver(attempt: first)
    }
}
