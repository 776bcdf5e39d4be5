/// What other threads ask of the loop.
enum LoopCommand: Sendable {
    /// A handler has answered.
    case answer(connection: Int, exchange: Int, LoopbackResponse)
    /// Steps are to be run on a connection that a pipe has; none just makes it look for input again.
    case enqueue(connection: Int, [LoopStep])
    /// A gate that a connection waits at has opened.
    case gateOpened(connection: Int, ticket: Int)
    /// A waiter is to be woken at the deadline.
    case expireWaiter(Int, at: ContinuousClock.Instant)
    /// All connections are to be closed; the server goes on.
    case closeConnections(reset: Bool)
    /// The loop is to end.
    case stop
}

/// The way into the loop: commands in order, and a pipe that wakes it.
///
/// The pipe is written and closed under the lock, so nothing is ever written to a descriptor that was closed and given
/// to somebody else.
final class Mailbox: Sendable {
    private struct State {
        var commands: [LoopCommand] = []
        var isClosed = false
    }

    private let state = Protected(State())
    /// The end of the pipe that the loop watches.
    let wakeDescriptor: Int32
    private let wakeWriter: Int32

    init() throws {
        (wakeDescriptor, wakeWriter) = try SystemSocket.makePipe()
    }

    /// Posts a command; false when the loop has ended.
    @discardableResult
    func post(_ command: LoopCommand) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            if state.commands.isEmpty { SystemSocket.poke(wakeWriter) }
            state.commands.append(command)
            return true
        }
    }

    /// Takes all commands. Loop only.
    func take() -> [LoopCommand] {
        state.withLock { state in
            SystemSocket.drain(wakeDescriptor)
            defer { state.commands = [] }
            return state.commands
        }
    }

    /// Closes the pipe; later commands are refused.
    func close() {
        state.withLock { state in
            guard !state.isClosed else { return }
            state.isClosed = true
            state.commands = []
            SystemSocket.close(wakeDescriptor)
            SystemSocket.close(wakeWriter)
        }
    }
}
