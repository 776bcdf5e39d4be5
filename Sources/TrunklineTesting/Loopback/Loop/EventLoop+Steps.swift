import Foundation

extension EventLoop {
    /// How the run of one step ended.
    private enum Outcome {
        case done
        case blocked
    }

    /// How much is sent on one connection before the others get their turn.
    private static let sendShare = 1 << 20

    /// Runs steps for as long as they need not wait. True when there are none left and the connection is open.
    func runSteps(_ connection: LoopConnection) -> Bool {
        var share = EventLoop.sendShare
        while connection.hasSteps {
            let outcome: Outcome
            switch connection.steps[connection.nextStep] {
            case .bytes(let bytes):
                outcome = bytes.withUnsafeBytes { send(connection, $0, &share) }
            case .script(let step):
                outcome = run(step, connection, &share)
            case .pipe(let handler):
                connection.finishStep()
                startPipe(connection, handler)
                continue
            case .end(let closes):
                connection.finishStep()
                endExchange(connection, closes: closes)
                if connection.isClosed { return false }
                continue
            }
            guard case .done = outcome, !connection.isClosed else { return false }
            if connection.hasSteps { connection.finishStep() }
        }
        return true
    }

    private func run(_ step: ScriptStep, _ connection: LoopConnection, _ share: inout Int) -> Outcome {
        switch step {
        case .send(let data): return data.withUnsafeBytes { send(connection, $0, &share) }
        case .drip(let data, let interval): return drip(connection, data, interval)
        case .generated(let pattern, let count): return generate(connection, pattern, count, &share)
        case .wait(let duration): return wait(connection, duration)
        case .hold(let gate): return hold(connection, gate)
        case .limitRate(let rate):
            connection.bytesPerSecond = rate
            connection.nextSend = nil
            return .done
        case .readHead: return readHead(connection) ? .done : .blocked
        case .readRequest: return readRequest(connection) ? .done : .blocked
        case .waitForBody: return bodyHas(connection, nil) ? .done : .blocked
        case .waitForBodyBytes(let count): return bodyHas(connection, count) ? .done : .blocked
        case .stopReading:
            connection.readingStopped = true
            return .done
        case .resumeReading:
            connection.readingStopped = false
            return .done
        case .waitForClose:
            connection.readingStopped = false
            connection.input.removeAll()
            return connection.inputEnded ? .done : .blocked
        case .finishWriting:
            SystemSocket.finishWriting(connection.descriptor)
            return .done
        case .close:
            close(connection, lingers: true)
            return .blocked
        case .reset:
            drop(connection, resets: true)
            return .blocked
        case .serve:
            if case .scripted = connection.mode {
                connection.mode = .serving
                connection.exchange = nil
            }
            connection.replaceSteps([])
            return .done
        }
    }

    /// Whether the current step can go on only with more input.
    func waitsForInput(_ connection: LoopConnection) -> Bool {
        guard connection.hasSteps, case .script(let step) = connection.steps[connection.nextStep] else { return false }
        switch step {
        case .readHead, .readRequest, .waitForBody, .waitForBodyBytes: return true
        default: return false
        }
    }

    // Sending

    private func send(_ connection: LoopConnection, _ all: UnsafeRawBufferPointer, _ share: inout Int) -> Outcome {
        while connection.progress.offset < Int64(all.count) {
            let rest = UnsafeRawBufferPointer(rebasing: all[Int(connection.progress.offset)...])
            guard sendSome(connection, rest, &share) else { return .blocked }
        }
        return .done
    }

    private func generate(
        _ connection: LoopConnection, _ pattern: LoopbackPattern, _ count: Int64, _ share: inout Int
    ) -> Outcome {
        pattern.block.withUnsafeBytes { block in
            while connection.progress.offset < count {
                let offset = connection.progress.offset
                let start = Int(offset % Int64(block.count))
                let length = Int(min(count - offset, Int64(block.count - start)))
                let part = UnsafeRawBufferPointer(rebasing: block[start..<(start + length)])
                guard sendSome(connection, part, &share) else { return .blocked }
            }
            return .done
        }
    }

    /// Sends some of the bytes, which are not none. False when the step must wait, or the connection is gone.
    private func sendSome(_ connection: LoopConnection, _ bytes: UnsafeRawBufferPointer, _ share: inout Int) -> Bool {
        if connection.writeIsBlocked { return false }
        guard share > 0 else {
            connection.writeIsBlocked = true  // its turn comes again with the next round of events
            return false
        }
        var part = bytes
        if let rate = connection.bytesPerSecond {
            guard mayAlreadySend(connection) else { return false }
            part = UnsafeRawBufferPointer(rebasing: bytes[..<min(bytes.count, max(1, rate / 50))])
        }
        switch SystemSocket.send(connection.descriptor, part) {
        case .bytes(let count):
            connection.progress.offset += Int64(count)
            share -= count
            if let rate = connection.bytesPerSecond {
                let pause = Duration.seconds(Double(count) / Double(max(1, rate)))
                connection.nextSend = (connection.nextSend ?? .now) + pause
            }
            return true
        case .wouldBlock:
            connection.writeIsBlocked = true
            return false
        case .ended, .failed:
            drop(connection)
            return false
        }
    }

    /// Whether the rate allows to send now; sets the timer when not.
    private func mayAlreadySend(_ connection: LoopConnection) -> Bool {
        guard let next = connection.nextSend else { return true }
        let now = ContinuousClock.now
        guard next > now else {
            // What a blocked client missed is not made up for.
            connection.nextSend = max(next, now - .milliseconds(100))
            return true
        }
        wake(connection, at: next)
        return false
    }

    private func drip(_ connection: LoopConnection, _ data: Data, _ interval: Duration) -> Outcome {
        while connection.progress.offset < Int64(data.count) {
            guard hasCome(connection.progress.deadline) else { return .blocked }
            let index = data.startIndex + Int(connection.progress.offset)
            var share = 1
            let isSent = withUnsafeBytes(of: data[index]) { sendSome(connection, $0, &share) }
            guard isSent else { return .blocked }
            guard connection.progress.offset < Int64(data.count) else { break }
            let deadline = ContinuousClock.now + interval
            connection.progress.deadline = deadline
            wake(connection, at: deadline)
        }
        return .done
    }

    // Waiting

    private func wait(_ connection: LoopConnection, _ duration: Duration) -> Outcome {
        if connection.progress.deadline == nil {
            let deadline = ContinuousClock.now + duration
            connection.progress.deadline = deadline
            if duration > .zero { wake(connection, at: deadline) }
        }
        return hasCome(connection.progress.deadline) ? .done : .blocked
    }

    private func hasCome(_ deadline: ContinuousClock.Instant?) -> Bool {
        deadline.map { $0 <= .now } ?? true
    }

    private func hold(_ connection: LoopConnection, _ gate: LoopbackGate) -> Outcome {
        if connection.progress.hasPassed { return .done }
        if connection.progress.ticket != nil { return .blocked }
        lastTicket += 1
        let (number, ticket, mailbox) = (connection.number, lastTicket, core.mailbox)
        connection.progress.ticket = ticket
        let place = gate.arrive { hasPassed in
            if hasPassed { mailbox.post(.gateOpened(connection: number, ticket: ticket)) }
        }
        guard let place else { return .done }
        connection.progress.leave = { gate.leave(place) }
        return .blocked
    }

    // Reading, in scripts

    private func readHead(_ connection: LoopConnection) -> Bool {
        guard case .scripted = connection.mode else { return true }
        guard openNext(connection) else { return false }
        if let exchange = connection.exchange { recordRequest(connection, exchange) }
        return true
    }

    private func readRequest(_ connection: LoopConnection) -> Bool {
        guard case .scripted = connection.mode else { return bodyHas(connection, nil) }
        if connection.progress.offset == 0 {
            guard openNext(connection) else { return false }
            connection.progress.offset = 1  // the head is read
        }
        guard bodyHas(connection, nil) else { return false }
        if let exchange = connection.exchange { recordRequest(connection, exchange) }
        return true
    }

    /// Finishes with the request before, and opens the next one when its head is there.
    private func openNext(_ connection: LoopConnection) -> Bool {
        guard bodyHas(connection, nil) else { return false }
        connection.exchange = nil
        guard let head = nextHead(connection) else { return false }
        open(connection, head, keepsBody: !connection.options.discardsBodies)
        return true
    }

    /// Whether the body has come as far as this; nil for all of it.
    private func bodyHas(_ connection: LoopConnection, _ count: Int64?) -> Bool {
        if case .scripted = connection.mode { readBody(connection) }
        guard let exchange = connection.exchange, !exchange.isComplete, !exchange.leavesBody else { return true }
        return count.map { exchange.body.sink.count >= $0 } ?? false
    }
}
