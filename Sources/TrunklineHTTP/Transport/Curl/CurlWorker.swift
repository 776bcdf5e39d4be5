import CTrunklineCurl
import Foundation

/// The event loop: everything in libcurl's hands, on one thread, which owns this object and all it refers to.
final class CurlWorker {
    let loop: CurlLoop
    let handle: OpaquePointer
    let clock: UnsafeMutablePointer<tlc_clock>
    let reportsConnections: Bool
    private let idleLifetime: Int64

    var running: [CurlTransfer] = []
    private var origins: [String: CurlOrigin] = [:]
    /// Origins with transfers that wait for a connection in all, in order.
    private var blocked: [CurlOrigin] = []
    private var connections = 0
    /// Held before they had started.
    var parked: [ObjectIdentifier: CurlTransfer] = [:]
    private var waitingCount = 0
    private var idleSince: Int64

    init(loop: CurlLoop, handle: OpaquePointer) {
        self.loop = loop
        self.handle = handle
        clock = tlc_loop_clock(handle)
        idleSince = clock.pointee.now
        reportsConnections = loop.library.reportsConnections
        idleLifetime = CurlTransfer.nanoseconds(loop.configuration.idleConnectionLifetime)
    }

    deinit { tlc_loop_free(handle) }

    /// Runs until the loop is closed, or has had nothing to do for long enough.
    func run() {
        var commands: [CurlLoop.Command] = []
        while true {
            let isOpen = loop.collect(&commands)
            for command in commands { perform(command, isOpen: isOpen) }
            commands.removeAll(keepingCapacity: true)
            guard isOpen else { return endAll() }
            tlc_loop_run(handle)
            finishDone()
            if clock.pointee.now >= clock.pointee.next_deadline { expire() }
            let isIdle = running.isEmpty && waitingCount == 0 && parked.isEmpty
            if isIdle, clock.pointee.now - idleSince >= idleLifetime, loop.retire() { return }
            if loop.fallAsleep() { tlc_loop_wait(handle, milliseconds(isIdle: isIdle)) }
        }
    }

    private func milliseconds(isIdle: Bool) -> Int32 {
        let until = isIdle ? idleSince + idleLifetime : clock.pointee.next_deadline
        guard until < .max else { return 600_000 }
        // Rounded up: waking a little early would only mean to wait again.
        return Int32(clamping: max(0, min((until - clock.pointee.now + 999_999) / 1_000_000, 600_000)))
    }

    private func perform(_ command: CurlLoop.Command, isOpen: Bool) {
        switch command {
        case .start(let transfer):
            if transfer.isCancelledEarly {
                end(transfer, .failed(.cancelled))
            } else if isOpen {
                admit(transfer)
            } else {
                end(transfer, .failed(.sessionInvalidated))
            }
        case .cancel(let transfer):
            if transfer.phase == .new {
                transfer.isCancelledEarly = true
            } else {
                remove(transfer)
                end(transfer, .failed(.cancelled))
            }
        case .resumeReceiving(let transfer):
            if transfer.phase == .running { proceed(transfer, receive: true, send: false) }
        case .resumeSending(let transfer):
            if transfer.phase == .running { proceed(transfer, receive: false, send: true) }
        case .gate(let transfer): obeyGate(of: transfer)
        }
    }

    // MARK: Starting

    func admit(_ transfer: CurlTransfer) {
        guard !transfer.isHeld else { return park(transfer) }
        let origin = origins[transfer.originKey] ?? newOrigin(transfer.originKey)
        transfer.origin = origin
        if hasRoom(origin), !origin.hasWaiting { start(transfer, in: origin) } else { wait(transfer, in: origin) }
    }

    private func newOrigin(_ key: String) -> CurlOrigin {
        // Of many hosts the ones without transfers are forgotten.
        if origins.count >= 512 { origins = origins.filter { $0.value.running > 0 || $0.value.hasWaiting } }
        let origin = CurlOrigin()
        origins[key] = origin
        return origin
    }

    private func hasRoom(_ origin: CurlOrigin) -> Bool {
        let perHost = max(1, loop.configuration.maximumConnectionsPerHost)
        // One connection does (RFC 9113, section 9.1), and 100 is the least number of streams a server should allow on it
        // (section 6.5.2). Beyond it libcurl would open another one for every transfer.
        if origin.multiplexes { return origin.running < 100 }
        return origin.running < perHost && connections < max(1, loop.configuration.maximumConnections)
    }

    private func wait(_ transfer: CurlTransfer, in origin: CurlOrigin) {
        transfer.phase = .waiting
        waitingCount += 1
        origin.enqueue(transfer)
        if origin.running == 0, !blocked.contains(where: { $0 === origin }) { blocked.append(origin) }
    }

    private func start(_ transfer: CurlTransfer, in origin: CurlOrigin) {
        let state = transfer.handle.pointer
        transfer.phase = .running
        transfer.startedAt = clock.pointee.now
        state.pointee.user = Unmanaged.passUnretained(transfer).toOpaque()
        let code = tlc_loop_add(handle, state)
        guard code == 0 else {
            transfer.origin = nil
            end(transfer, .failed(.connectionFailed(reason: "libcurl refused the transfer (\(code))")))
            return
        }
        transfer.index = running.count
        running.append(transfer)
        origin.running += 1
        transfer.countsAsConnection = !origin.multiplexes
        if transfer.countsAsConnection { connections += 1 }
        note(transfer)
    }

    private func startWaiting(in origin: CurlOrigin) {
        while origin.hasWaiting, hasRoom(origin), let next = origin.dequeue() {
            waitingCount -= 1
            if next.isHeld { park(next) } else { start(next, in: origin) }
        }
    }

    // MARK: Ending

    private func finishDone() {
        var code: Int32 = 0
        while let state = tlc_loop_next_done(handle, &code) {
            guard let user = state.pointee.user else { continue }
            let transfer = Unmanaged<CurlTransfer>.fromOpaque(user).takeUnretainedValue()
            forget(transfer)
            if state.pointee.metrics.http_version >= 3 { transfer.origin?.multiplexes = true }
            end(transfer, .finished(code: code))
        }
    }

    /// Takes a transfer that has not ended out of libcurl or the queue.
    func remove(_ transfer: CurlTransfer) {
        switch transfer.phase {
        case .running:
            tlc_loop_remove(handle, transfer.handle.pointer)
            forget(transfer)
        case .waiting:
            // It stays in the queue, where its phase says that it is to be skipped.
            waitingCount -= 1
        case .parked: parked[ObjectIdentifier(transfer)] = nil
        case .new, .ended: break
        }
    }

    private func forget(_ transfer: CurlTransfer) {
        let last = running.count - 1
        guard transfer.index <= last, running[transfer.index] === transfer else { return }
        running[last].index = transfer.index
        running.swapAt(transfer.index, last)
        running.removeLast()
        transfer.handle.pointer.pointee.user = nil
        if transfer.countsAsConnection { connections -= 1 }
        guard let origin = transfer.origin else { return }
        origin.running -= 1
    }

    /// Gives the outcome, once, and the place to the next.
    func end(_ transfer: CurlTransfer, _ outcome: CurlOutcome) {
        guard transfer.phase != .ended else { return }
        transfer.phase = .ended
        transfer.upload?.stop()
        let origin = transfer.origin
        transfer.origin = nil
        if let download = transfer.download {
            if case .finished = outcome {
                download.trailers.set(CurlResult.trailers(of: transfer), CurlResult.metrics(of: transfer))
            }
            download.finish(CurlResult.streamError(of: transfer, outcome))
        }
        transfer.resume(outcome)
        if running.isEmpty { idleSince = clock.pointee.now }
        // First the origins that have no transfer whose end would let them go on.
        while let first = blocked.first, first.running > 0 || !first.hasWaiting || hasRoom(first) {
            blocked.removeFirst()
            startWaiting(in: first)
        }
        if let origin { startWaiting(in: origin) }
    }

    private func endAll() {
        for transfer in running {
            tlc_loop_remove(handle, transfer.handle.pointer)
            transfer.handle.pointer.pointee.user = nil
            transfer.origin = nil
            end(transfer, .failed(.sessionInvalidated))
        }
        for origin in origins.values {
            while let transfer = origin.dequeue() {
                transfer.origin = nil
                end(transfer, .failed(.sessionInvalidated))
            }
        }
        for transfer in parked.values { end(transfer, .failed(.sessionInvalidated)) }
        (running, parked) = ([], [:])
    }
}
