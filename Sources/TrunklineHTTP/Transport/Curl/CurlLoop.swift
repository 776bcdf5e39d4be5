import CTrunklineCurl
import Foundation

/// What the threads share of a transport: the mailbox into the loop's thread. The thread itself starts with the first
/// transfer and ends with ``invalidate()``, or when nothing was in flight for a while; then the next one starts it anew.
final class CurlLoop: Sendable {
    /// What the loop is asked to do. Transfers are handed over with their command.
    enum Command: Sendable {
        case start(CurlTransfer)
        case cancel(CurlTransfer)
        case resumeReceiving(CurlTransfer)
        case resumeSending(CurlTransfer)
        /// The gate of the transfer was closed or opened.
        case gate(CurlTransfer)
    }

    private struct Mailbox {
        enum Thread {
            case none, running, closed
        }

        var commands: [Command] = []
        var thread = Thread.none
        /// Whether the loop waits, or is about to, and has to be woken.
        var isAsleep = false
    }

    let library: CurlLibrary
    let configuration: TransportConfiguration
    let options: CurlOptions
    let pool: CurlHandlePool
    private let mailbox = Protected(Mailbox())
    private let waker: tlc_waker

    init(library: CurlLibrary, configuration: TransportConfiguration) throws(HTTPError) {
        var waker = tlc_waker()
        guard tlc_waker_open(&waker) else {
            throw .connectionFailed(reason: "the process has no file descriptor left")
        }
        self.waker = waker
        self.library = library
        self.configuration = configuration
        options = try CurlOptions(configuration: configuration, library: library)
        pool = CurlHandlePool(
            library: library, options: options, capacity: max(16, configuration.maximumConnections))
    }

    deinit {
        var waker = waker
        tlc_waker_close(&waker)
    }

    /// Hands a command to the loop. False when the loop is closed for ever.
    @discardableResult
    func post(_ command: Command) -> Bool {
        enum Need {
            case nothing, wake, thread, refused
        }
        let need = mailbox.withLock { mailbox -> Need in
            switch mailbox.thread {
            case .closed: return .refused
            case .none:
                // Only a start is worth a thread; a cancellation that overtook it is left on the transfer.
                if case .cancel(let transfer) = command { transfer.isCancelledEarly = true }
                guard case .start = command else { return .nothing }
                mailbox.commands.append(command)
                mailbox.thread = .running
                return .thread
            case .running:
                mailbox.commands.append(command)
                guard mailbox.isAsleep else { return .nothing }
                mailbox.isAsleep = false
                return .wake
            }
        }
        switch need {
        case .nothing: break
        case .wake: wake()
        case .thread: startThread()
        case .refused: return false
        }
        return true
    }

    /// Ends everything in flight, and refuses what comes later.
    func invalidate() {
        let wasRunning = mailbox.withLock { mailbox in
            defer {
                mailbox.thread = .closed
                mailbox.isAsleep = false
            }
            return mailbox.thread == .running
        }
        pool.close()
        if wasRunning { wake() }
    }

    private func wake() {
        var waker = waker
        tlc_waker_wake(&waker)
    }

    private func startThread() {
        let thread = Thread { [self] in
            tlc_block_sigpipe()
            var waker = waker
            let worker = tlc_loop_make(
                library.pointer, &waker, configuration.maximumConnectionsPerHost, configuration.maximumConnections
            ).map { CurlWorker(loop: self, handle: $0) }
            if let worker { worker.run() } else { refuseAll() }
        }
        thread.name = "trunkline-curl"
        thread.stackSize = 1 << 20
        thread.start()
    }

    /// Without a multi handle there is nothing to run on.
    private func refuseAll() {
        let commands = mailbox.withLock { mailbox in
            if mailbox.thread == .running { mailbox.thread = .none }
            defer { mailbox.commands = [] }
            return mailbox.commands
        }
        for case .start(let transfer) in commands {
            transfer.resume(.failed(.connectionFailed(reason: "no memory or file descriptor for the event loop")))
        }
    }
}

/// The loop's side of the mailbox.
extension CurlLoop {
    /// Puts the commands that have come into `commands`, which is empty. False once the loop is closed.
    func collect(_ commands: inout [Command]) -> Bool {
        mailbox.withLock { mailbox in
            mailbox.isAsleep = false
            swap(&mailbox.commands, &commands)
            return mailbox.thread != .closed
        }
    }

    /// Whether the loop may wait: nothing has come since it last looked. From now on whoever posts wakes it.
    func fallAsleep() -> Bool {
        mailbox.withLock { mailbox in
            guard mailbox.commands.isEmpty, mailbox.thread == .running else { return false }
            mailbox.isAsleep = true
            return true
        }
    }

    /// Whether the thread may end: nothing has come. The next start makes a new one.
    func retire() -> Bool {
        mailbox.withLock { mailbox in
            guard mailbox.commands.isEmpty, mailbox.thread == .running else { return false }
            mailbox.thread = .none
            mailbox.isAsleep = false
            return true
        }
    }
}
