import CTrunklineCurl
import Foundation

/// One exchange in the libcurl transport, from its request to its outcome.
///
/// `@unchecked Sendable`: it owns a C transfer and is used by one thread at a time. The task that sends prepares it and
/// hands it over through the loop's mailbox; from then on every `var` belongs to the loop's thread, until the outcome
/// goes through the continuation and the task reads the result. What other threads use in between (upload and download)
/// has its own lock.
final class CurlTransfer: @unchecked Sendable {
    /// Where in the loop it is.
    enum Phase {
        case new, waiting, running, ended
        /// Held by its caller before it had started.
        case parked
    }

    let loop: CurlLoop
    let handle: CurlHandle
    let request: HTTPRequest
    let originKey: String
    let progress: ProgressObserver?
    private let gate: TransferGate?
    private var gateObservation: Int?
    /// The limits in nanoseconds; 0 for none.
    let connectLimit: Int64
    let idleLimit: Int64

    // The loop's.
    var phase = Phase.new
    var isCancelledEarly = false
    var continuation: CheckedContinuation<CurlOutcome, Never>?
    var index = 0
    var startedAt: Int64 = 0
    var countsAsConnection = false
    var origin: CurlOrigin?
    /// The error of an ended stream or upload, decided by the library.
    var failure: HTTPError?

    var upload: CurlUpload?
    var download: CurlDownload?
    private var lastSent: Int64 = 0
    private var lastReceived: Int64 = 0

    init(
        loop: CurlLoop, handle: CurlHandle, exchange: Exchange, originKey: String
    ) {
        self.loop = loop
        self.handle = handle
        self.originKey = originKey
        request = exchange.request
        progress = exchange.progress
        gate = exchange.gate
        connectLimit = CurlTransfer.nanoseconds(exchange.timeouts.connect)
        idleLimit = CurlTransfer.nanoseconds(exchange.timeouts.idle)
        handle.pointer.pointee.hears_progress = progress?.sent != nil || progress?.received != nil
    }

    deinit {
        if let gateObservation { gate?.stopObserving(gateObservation) }
        upload?.stop()
        for file in [handle.pointer.pointee.file_in, handle.pointer.pointee.file_out] where file >= 0 { close(file) }
        loop.pool.put(handle)
    }

    /// Whether the caller holds it.
    var isHeld: Bool { gate?.isClosed ?? false }

    /// Tells the loop of every change of the gate, from now to the end of the transfer. Called before it is handed over.
    func observeGate() {
        gateObservation = gate?.observe { [weak self, loop] in
            if let self { loop.post(.gate(self)) }
        }
    }

    /// A limit as the loop counts: at least a nanosecond, at most some years.
    static func nanoseconds(_ limit: Duration?) -> Int64 {
        guard let limit else { return 0 }
        let nanoseconds = limit.seconds * 1e9
        return nanoseconds >= 1e17 ? Int64(1e17) : max(1, Int64(nanoseconds))
    }

    /// Gives the waiting task its outcome; once.
    func resume(_ outcome: CurlOutcome) {
        tlc_transfer_publish(handle.pointer)
        let waiting = continuation
        continuation = nil
        waiting?.resume(returning: outcome)
    }

    /// Whether it is the app's turn: no limit counts then.
    private var waitsForApp: Bool {
        let state = handle.pointer
        return state.pointee.waits_to_receive || state.pointee.waits_to_send || state.pointee.held
    }

    /// When a limit may have run out, as far as is known now.
    func deadline(now: Int64, reportsConnections: Bool) -> Int64 {
        let state = handle.pointer
        if waitsForApp { return .max }
        if state.pointee.answered_at > 0 { return state.pointee.last_activity + Int64(TLC_GRACE) }
        guard state.pointee.connected_at == 0, reportsConnections else {
            return idleLimit > 0 ? max(state.pointee.last_activity, startedAt) + idleLimit : .max
        }
        // Not connected: the connect limit counts, and the silence after the connection may begin at any moment.
        guard connectLimit > 0 else {
            return idleLimit > 0 ? max(state.pointee.last_activity, startedAt) + idleLimit : .max
        }
        return idleLimit > 0 ? min(startedAt + connectLimit, now + idleLimit) : startedAt + connectLimit
    }

    /// Whether the response is complete, and the server takes no more of the request: the answer stands.
    func isAnswered(now: Int64) -> Bool {
        let state = handle.pointer
        return state.pointee.answered_at > 0 && !waitsForApp
            && now - state.pointee.last_activity >= Int64(TLC_GRACE)
    }

    /// The limit that has run out at `now`.
    func expiredLimit(now: Int64, reportsConnections: Bool) -> TimeoutPhase? {
        let state = handle.pointer
        if waitsForApp { return nil }
        if state.pointee.connected_at == 0, reportsConnections, connectLimit > 0 {
            return now - startedAt >= connectLimit ? .connect : nil
        }
        return idleLimit > 0 && now - max(state.pointee.last_activity, startedAt) >= idleLimit ? .idle : nil
    }

    /// Tells the observer what moved since the last time.
    func reportProgress() {
        let state = handle.pointer
        if let sent = progress?.sent, state.pointee.sent > lastSent {
            lastSent = state.pointee.sent
            sent(TransferProgress(completed: lastSent, total: request.body?.contentLength))
        }
        if let received = progress?.received, state.pointee.received > lastReceived {
            lastReceived = state.pointee.received
            received(TransferProgress(completed: lastReceived, total: expectedLength))
        }
    }

    /// The length of the content as it will be delivered, where the head told.
    private var expectedLength: Int64? {
        let state = handle.pointer
        let isKnown = !state.pointee.encoded && !state.pointee.chunked && state.pointee.declared_length >= 0
        return isKnown ? state.pointee.declared_length : nil
    }
}
