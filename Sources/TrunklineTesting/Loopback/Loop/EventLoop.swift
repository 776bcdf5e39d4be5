import Foundation

/// The one thread of a server: it waits on all sockets, reads, parses, answers and keeps the timers.
///
/// Everything in it is touched by that thread only, so nothing in it needs a lock; other threads reach it through the
/// ``Mailbox``.
final class EventLoop {
    private enum Timer {
        case connection(Int)
        case waiter(Int)
        case acceptAgain
    }

    private static let listenerToken = 0
    private static let wakeToken = -1

    let core: LoopbackCore
    private let listener: Int32
    private var poller = Poller()
    private var connections: [Int: LoopConnection] = [:]
    private var timers = TimerHeap<Timer>()
    private var accepted = 0
    private var scratch = [UInt8](repeating: 0, count: 128 << 10)
    private var isStopping = false
    var lastTicket = 0

    init(core: LoopbackCore, listener: Int32) {
        self.core = core
        self.listener = listener
    }

    /// Runs until the stop command, then closes everything.
    func run() {
        poller.add(listener, token: EventLoop.listenerToken, interest: [.read])
        poller.add(core.mailbox.wakeDescriptor, token: EventLoop.wakeToken, interest: [.read])
        var events: [Poller.Event] = []
        while !isStopping {
            poller.wait(milliseconds: millisecondsToNextTimer(), into: &events)
            for event in events {
                switch event.token {
                case EventLoop.wakeToken: core.mailbox.take().forEach(obey)
                case EventLoop.listenerToken: acceptConnections()
                default: if let connection = connections[event.token] { handle(event, connection) }
                }
            }
            fireTimers()
        }
        for connection in Array(connections.values) { drop(connection) }
        SystemSocket.close(listener)
        core.finish()
    }

    // Commands

    private func obey(_ command: LoopCommand) {
        switch command {
        case .answer(let number, let exchange, let response):
            guard let connection = connections[number] else { return }
            answer(connection, exchange: exchange, response)
            pump(connection)
        case .enqueue(let number, let steps):
            guard let connection = connections[number], case .piped = connection.mode else { return }
            connection.enqueue(steps)
            pump(connection)
        case .gateOpened(let number, let ticket):
            guard let connection = connections[number], connection.progress.ticket == ticket else { return }
            connection.progress.hasPassed = true
            pump(connection)
        case .expireWaiter(let id, let deadline): timers.add(.waiter(id), at: deadline)
        case .closeConnections(let reset):
            for connection in Array(connections.values) { drop(connection, resets: reset) }
        case .stop: isStopping = true
        }
    }

    // Timers

    /// Has the connection's steps looked at again at the deadline.
    func wake(_ connection: LoopConnection, at deadline: ContinuousClock.Instant) {
        timers.add(.connection(connection.number), at: deadline)
    }

    private func millisecondsToNextTimer() -> Int32 {
        guard let first = timers.first else { return -1 }
        let left = first - ContinuousClock.now
        guard left > .zero else { return 0 }
        let (seconds, attoseconds) = left.components
        guard seconds < 1_000_000 else { return 1_000_000_000 }
        // Rounded up: a millisecond late is better than a busy loop.
        return Int32(seconds) * 1000 + Int32(attoseconds / 1_000_000_000_000_000) + 1
    }

    private func fireTimers() {
        guard timers.first != nil else { return }
        let now = ContinuousClock.now
        while let timer = timers.next(at: now) {
            switch timer {
            case .connection(let number): if let connection = connections[number] { pump(connection) }
            case .waiter(let id): core.expire(waiter: id)
            case .acceptAgain: poller.update(listener, interest: [.read])
            }
        }
    }

    // Connections

    private func acceptConnections() {
        for _ in 0..<64 {
            switch SystemSocket.accept(listener) {
            case .none: return
            case .exhausted:
                // Waiting for a descriptor with the listener still watched would spin.
                poller.update(listener, interest: [])
                timers.add(.acceptAgain, at: .now + .milliseconds(50))
                return
            case .connection(let descriptor):
                accepted += 1
                let number = accepted
                let (options, script) = core.routes.withLock { ($0.options, $0.scripts[number] ?? $0.commonScript) }
                let connection = LoopConnection(number: number, descriptor: descriptor, options: options)
                connections[number] = connection
                poller.add(descriptor, token: number, interest: connection.interest)
                core.note { $0.connectionOpened() }
                guard let script else { continue }
                connection.mode = .scripted
                connection.enqueue(script.map(LoopStep.script))
                pump(connection)
            }
        }
    }

    private func handle(_ event: Poller.Event, _ connection: LoopConnection) {
        if event.isWritable, connection.writeIsBlocked {
            connection.writeIsBlocked = false
            pump(connection)
        }
        if connection.isClosed { return }
        if event.isReadable || (event.isBroken && connection.interest.contains(.read)) {
            receive(connection)
        } else if event.isBroken {
            drop(connection)
        }
    }

    /// Reads what there is, a bounded share of it, so that no connection starves the others.
    private func receive(_ connection: LoopConnection) {
        for _ in 0..<8 where !connection.isClosed && connection.interest.contains(.read) {
            switch receiveOnce(connection) {
            case .bytes(let count):
                pump(connection)
                if count < scratch.count { return }
            case .wouldBlock: return
            case .ended:
                connection.inputEnded = true
                pump(connection)
            case .failed: drop(connection)
            }
        }
    }

    private func receiveOnce(_ connection: LoopConnection) -> SystemSocket.Transfer {
        let result = scratch.withUnsafeMutableBytes { SystemSocket.receive(connection.descriptor, into: $0) }
        guard case .bytes(let count) = result else { return result }
        scratch.withUnsafeBytes { all in
            let bytes = UnsafeRawBufferPointer(rebasing: all[..<count])
            if connection.options.recordsRequests {
                let limit = connection.options.rawBytesLimit
                core.record.withLock { $0.received(bytes, on: connection.number, limit: limit) }
            }
            connection.input.append(bytes)
        }
        connection.idleDeadline = nil
        return result
    }

    /// Watches for what the connection waits for now.
    func watch(_ connection: LoopConnection, _ interest: Poller.Interest) {
        guard interest != connection.interest else { return }
        connection.interest = interest
        poller.update(connection.descriptor, interest: interest)
    }

    /// Ends the connection at once.
    func drop(_ connection: LoopConnection, resets: Bool = false) {
        guard !connection.isClosed else { return }
        connection.isClosed = true
        connection.replaceSteps([])
        abandonExchange(connection)
        poller.remove(connection.descriptor)
        if resets { SystemSocket.reset(connection.descriptor) } else { SystemSocket.close(connection.descriptor) }
        connections[connection.number] = nil
        core.note { $0.connectionClosed() }
    }

    /// Ends the connection with FIN. While the client is still sending, the input is read and thrown away for a while:
    /// closing with unread input would send RST, which can destroy an answer on its way (RFC 9112, section 9.6).
    func close(_ connection: LoopConnection, lingers: Bool) {
        let isReading = connection.exchange.map { !$0.isComplete } ?? false
        var mustLinger = lingers || isReading
        if !mustLinger, case .bytes = receiveOnce(connection) { mustLinger = true }
        guard mustLinger, !connection.inputEnded else {
            drop(connection)
            return
        }
        connection.replaceSteps([])
        abandonExchange(connection)
        connection.input.removeAll()
        connection.readingStopped = false
        SystemSocket.finishWriting(connection.descriptor)
        let deadline = ContinuousClock.now + .seconds(2)
        connection.mode = .lingering(until: deadline)
        wake(connection, at: deadline)
    }
}
