import Foundation

/// A connection in the hands of a handler: raw bytes both ways, for protocols that begin with an HTTP answer, such as
/// WebSocket after 101, a tunnel after `CONNECT`, or an event stream that the test feeds.
///
/// ```swift
/// server.route(.get, "/echo") { _ in
///     .pipe(status: 101, headers: ["Upgrade": "echo", "Connection": "Upgrade"]) { pipe in
///         while let data = await pipe.receive() { pipe.send(data) }
///     }
/// }
/// ```
///
/// When the handler returns or throws, what was sent is delivered and the connection is closed with FIN. When the
/// client closes first, ``receive()`` gives nil after the last bytes, and the handler's task is cancelled.
public final class LoopbackPipe: Sendable {
    private struct Inbox {
        var chunks: [Data] = []
        var count = 0
        var isFinished = false
        var waiter: CheckedContinuation<Data?, Never>?
    }

    private static let limit = 256 << 10

    private let inbox = Protected(Inbox())
    private let mailbox: Mailbox
    private let connection: Int

    init(connection: Int, mailbox: Mailbox) {
        self.connection = connection
        self.mailbox = mailbox
    }

    /// The next bytes the client has sent, in pieces of no certain size; nil when it has closed or the connection is
    /// gone. One caller at a time: a second one waiting gets nil.
    ///
    /// While bytes are not taken, no more than a few hundred kilobytes are read from the client.
    public func receive() async -> Data? {
        await withCheckedContinuation { continuation in
            enum Outcome {
                case waits
                case gives(Data?, wasFull: Bool)
            }
            let outcome: Outcome = inbox.withLock { inbox in
                if let first = inbox.chunks.first {
                    let wasFull = inbox.count >= LoopbackPipe.limit
                    inbox.chunks.removeFirst()
                    inbox.count -= first.count
                    return .gives(first, wasFull: wasFull)
                }
                if inbox.isFinished || inbox.waiter != nil { return .gives(nil, wasFull: false) }
                inbox.waiter = continuation
                return .waits
            }
            guard case .gives(let data, let wasFull) = outcome else { return }
            // The loop stopped reading when the inbox was full.
            if wasFull { mailbox.post(.enqueue(connection: connection, [])) }
            continuation.resume(returning: data)
        }
    }

    /// Sends bytes after all that was sent before; returns at once. After the end of the connection they are dropped.
    public func send(_ data: Data) {
        if !data.isEmpty { mailbox.post(.enqueue(connection: connection, [.script(.send(data))])) }
    }

    /// Sends text in UTF-8.
    public func send(_ text: String) { send(Data(text.utf8)) }

    /// Runs steps of a script after all that was sent before: waits, drips, a reset. Steps that read do not belong here.
    public func run(_ steps: [ScriptStep]) {
        mailbox.post(.enqueue(connection: connection, steps.map(LoopStep.script)))
    }

    // The loop's side

    /// Whether so much waits to be received that no more is read.
    var isFull: Bool { inbox.withLock { $0.count >= LoopbackPipe.limit } }

    func deliver(_ data: Data) {
        let waiter = inbox.withLock { inbox -> CheckedContinuation<Data?, Never>? in
            if inbox.waiter == nil {
                inbox.chunks.append(data)
                inbox.count += data.count
            }
            defer { inbox.waiter = nil }
            return inbox.waiter
        }
        waiter?.resume(returning: data)
    }

    func finish() {
        let waiter = inbox.withLock { inbox in
            inbox.isFinished = true
            defer { inbox.waiter = nil }
            return inbox.waiter
        }
        waiter?.resume(returning: nil)
    }
}
