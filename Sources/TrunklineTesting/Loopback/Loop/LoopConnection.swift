import Foundation

/// One accepted connection. Lives on the loop's thread only.
final class LoopConnection {
    /// A request and its answer.
    struct Exchange {
        /// The number of the exchange on its connection, from 1.
        let number: Int
        let head: RequestHead
        let arrival: ContinuousClock.Instant
        /// How it is answered; nil in a script.
        var action: RouteAction?
        /// The values of the route's template.
        var values: [String: String] = [:]
        var body: BodyReader
        /// The request as it was recorded.
        var request: LoopbackRequest?
        var task: Task<Void, Never>?
        /// Whether the connection may be kept after the answer.
        var keepsAlive = true
        /// The whole message has been received.
        var isComplete = false
        /// No byte of the body is read, or will be.
        var leavesBody = false
        /// The request was handed to what answers it.
        var isDispatched = false
        /// The answer was sent.
        var isAnswered = false
    }

    /// What the connection is there for.
    enum Mode {
        /// Requests are answered by routes.
        case serving
        /// A script has the connection.
        case scripted
        /// A handler has the connection.
        case piped(LoopbackPipe)
        /// FIN was sent, input is thrown away until the client closes.
        case lingering(until: ContinuousClock.Instant)
    }

    /// How far the current step has come.
    struct Progress {
        var offset: Int64 = 0
        var deadline: ContinuousClock.Instant?
        /// The ticket at a gate, and whether the gate has let it pass.
        var ticket: Int?
        var hasPassed = false
        /// The way out of a gate.
        var leave: (() -> Void)?
    }

    let number: Int
    let descriptor: Int32
    var options: LoopbackOptions
    var mode = Mode.serving
    var isClosed = false

    var input = InputBuffer()
    var heads = HeadParser()
    var exchange: Exchange?
    var exchangeCount = 0
    var inputEnded = false
    var readingStopped = false

    var steps: [LoopStep] = []
    var nextStep = 0
    var progress = Progress()
    var writeIsBlocked = false
    var bytesPerSecond: Int?
    var nextSend: ContinuousClock.Instant?
    var idleDeadline: ContinuousClock.Instant?
    var interest: Poller.Interest = [.read]

    init(number: Int, descriptor: Int32, options: LoopbackOptions) {
        self.number = number
        self.descriptor = descriptor
        self.options = options
    }

    var hasSteps: Bool { nextStep < steps.count }

    /// Adds steps after those there are.
    func enqueue(_ new: [LoopStep]) {
        if hasSteps { steps.append(contentsOf: new) } else { replaceSteps(new) }
    }

    /// Puts steps in place of those there are.
    func replaceSteps(_ new: [LoopStep]) {
        progress.leave?()
        steps = new
        nextStep = 0
        progress = Progress()
    }

    /// Goes on to the next step.
    func finishStep() {
        nextStep += 1
        progress = Progress()
        if nextStep == steps.count {
            steps = []
            nextStep = 0
        }
    }
}
