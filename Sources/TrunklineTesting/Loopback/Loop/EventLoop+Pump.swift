import Foundation

extension EventLoop {
    /// How many unread bytes a connection may have before it is no longer read from.
    private static let inputLimit = 256 << 10

    /// Takes the connection as far as it can go now: body, steps, next request, and again.
    func pump(_ connection: LoopConnection) {
        while !connection.isClosed {
            if case .serving = connection.mode { readBody(connection) }
            guard runSteps(connection), startExchange(connection) else { break }
        }
        settle(connection)
    }

    /// Says what the connection waits for, when nothing more can be done for now.
    private func settle(_ connection: LoopConnection) {
        if connection.isClosed { return }
        switch connection.mode {
        case .lingering(let deadline):
            connection.input.removeAll()
            if connection.inputEnded || ContinuousClock.now >= deadline { return drop(connection) }
        case .piped(let pipe):
            if !connection.input.isEmpty { pipe.deliver(connection.input.takeAll()) }
        case .scripted:
            if !connection.hasSteps { connection.input.removeAll() }
        case .serving:
            if closesAsIdle(connection) { return close(connection, lingers: false) }
        }
        if connection.inputEnded, !answersAfterEnd(connection) { return drop(connection) }
        var interest: Poller.Interest = []
        let isFull =
            if case .piped(let pipe) = connection.mode { pipe.isFull } else {
                connection.input.count >= EventLoop.inputLimit
            }
        if !connection.inputEnded, !connection.readingStopped, !isFull {
            interest.insert(.read)
        }
        if connection.writeIsBlocked { interest.insert(.write) }
        watch(connection, interest)
    }

    /// Whether there is something left to do for a client that has closed its sending side.
    private func answersAfterEnd(_ connection: LoopConnection) -> Bool {
        guard connection.options.allowsHalfClose else { return false }
        if connection.hasSteps { return !waitsForInput(connection) }
        guard let exchange = connection.exchange else { return false }
        return exchange.isComplete && exchange.task != nil
    }

    /// Whether an idle connection has been so for too long; keeps its deadline.
    private func closesAsIdle(_ connection: LoopConnection) -> Bool {
        guard let timeout = connection.options.keepAliveTimeout, connection.exchange == nil, !connection.hasSteps,
            connection.input.isEmpty
        else { return false }
        let now = ContinuousClock.now
        if let deadline = connection.idleDeadline { return now >= deadline }
        connection.idleDeadline = now + timeout
        wake(connection, at: now + timeout)
        return false
    }

    // Requests

    /// Takes what is there of the current request's body.
    func readBody(_ connection: LoopConnection) {
        guard connection.exchange?.isComplete == false, connection.exchange?.leavesBody == false else { return }
        do throws(RequestFault) {
            try connection.exchange?.body.read(from: &connection.input)
        } catch {
            refuse(connection, error)
            return
        }
        guard connection.exchange?.body.isDone == true else { return }
        connection.exchange?.isComplete = true
        core.note { $0.countBody() }
        if connection.exchange?.request != nil { amendRequest(connection) }
        guard case .serving = connection.mode else { return }
        if connection.exchange?.isAnswered == true {
            connection.exchange = nil
        } else if connection.exchange?.isDispatched == false {
            dispatch(connection)
        }
    }

    /// Starts with the next request, if its head is there and the one before is done with. True when something new is
    /// to be done.
    private func startExchange(_ connection: LoopConnection) -> Bool {
        guard case .serving = connection.mode, connection.exchange == nil else { return false }
        guard let head = nextHead(connection) else { return connection.hasSteps }
        let match = core.routes.withLock { $0.match(method: head.method, target: head.target) }
        connection.options = match.options
        begin(connection, head, match)
        return true
    }

    /// The next head; a fault is answered.
    func nextHead(_ connection: LoopConnection) -> RequestHead? {
        if connection.input.isEmpty { return nil }
        do throws(RequestFault) {
            return try connection.heads.next(from: &connection.input, limit: connection.options.maximumHeadBytes)
        } catch {
            refuse(connection, error)
            return nil
        }
    }

    /// Answers with an error and closes; a script's connection, and one whose answer is on its way, is just closed.
    private func refuse(_ connection: LoopConnection, _ fault: RequestFault) {
        let isAnswering = connection.exchange?.isDispatched ?? false
        guard case .serving = connection.mode, !isAnswering else { return drop(connection) }
        connection.exchange?.leavesBody = true
        connection.input.removeAll()
        let response = LoopbackResponse.text(fault.reason, status: fault.status).closing()
        let steps = ResponseEncoder.steps(response, ResponseEncoder.Context()).dropLast()
        // Closing as a script does: the client may still be sending, and must be able to read why it is refused.
        connection.replaceSteps(steps + [.script(.close)])
    }
}
