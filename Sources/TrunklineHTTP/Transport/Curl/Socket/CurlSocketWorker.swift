import CTrunklineCurl
import Foundation

/// The thread of one WebSocket: connects through libcurl, shakes hands, then moves bytes until the end. Owns the loop and
/// the transfer.
final class CurlSocketWorker {
    private static let readSize = 64 * 1024

    let job: CurlSocketJob
    let socket: CurlSocket
    let curl: CurlLoop
    let loop: OpaquePointer
    let transfer: UnsafeMutablePointer<tlc_transfer>
    private var descriptor: Int32 = -1
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: readSize, alignment: 16)

    /// Does the whole job.
    static func run(_ job: CurlSocketJob, socket: CurlSocket, loop curl: CurlLoop) {
        guard let loop = socket.makeLoop(curl.library) else {
            return socket.end(.connectionFailed(reason: "no memory for a connection"))
        }
        guard let transfer = tlc_transfer_make(curl.library.pointer, CurlHooks.table) else {
            tlc_loop_free(loop)
            return socket.end(.connectionFailed(reason: "no memory for a connection"))
        }
        let worker = CurlSocketWorker(job: job, socket: socket, curl: curl, loop: loop, transfer: transfer)
        do {
            try worker.connect()
            try worker.shakeHands()
        } catch {
            socket.end(error)
        }
    }

    private init(
        job: CurlSocketJob, socket: CurlSocket, curl: CurlLoop, loop: OpaquePointer,
        transfer: UnsafeMutablePointer<tlc_transfer>
    ) {
        (self.job, self.socket, self.curl, self.loop, self.transfer) = (job, socket, curl, loop, transfer)
    }

    deinit {
        tlc_loop_remove(loop, transfer)
        tlc_transfer_free(transfer)
        tlc_loop_free(loop)
        buffer.deallocate()
    }

    // MARK: - Opening

    private func connect() throws(HTTPError) {
        let limit = CurlTransfer.nanoseconds(job.exchange.timeouts.connect)
        try curl.options.apply(to: CurlHandle(pointer: transfer))
        try CurlPins.apply(curl.configuration.tls.pins, host: job.exchange.request.url, to: transfer)
        var code = tlc_set_text(transfer, Int32(TLC_OPT_URL), job.url.text)
        if code == TLC_OK { code = tlc_socket_prepare(transfer, (limit + 999_999) / 1_000_000) }
        guard code == TLC_OK, tlc_loop_add(loop, transfer) == 0 else {
            throw .connectionFailed(reason: "libcurl refused the connection (\(code))")
        }
        let deadline = limit > 0 ? tlc_now() + limit : .max
        while true {
            if let failure = socket.failure { throw failure }
            tlc_loop_run(loop)
            if tlc_loop_has_ended(loop, &code) { break }
            let now = tlc_now()
            if now >= deadline { throw .timedOut(.connect) }
            tlc_loop_wait(loop, CurlSocketWorker.milliseconds(from: now, to: deadline))
        }
        guard code == TLC_OK else { throw failure(code, isConnected: false) }
        descriptor = tlc_socket_descriptor(transfer)
        guard descriptor >= 0 else { throw .connectionFailed(reason: "libcurl has lost the connection") }
    }

    private func shakeHands() throws(HTTPError) {
        let limit = CurlTransfer.nanoseconds(job.exchange.timeouts.idle)
        var deadline = limit > 0 ? tlc_now() + limit : .max
        var writer = SocketWriter()
        writer.append([job.request])
        while writer.count > 0 {
            try waitInHandshake(write(&writer), sends: true, until: deadline)
        }
        var reader = HandshakeReader(
            request: job.exchange.request, maximumHead: curl.configuration.maximumHeaderBytes,
            maximumFields: curl.configuration.maximumHeaderFields)
        while true {
            switch read() {
            case .bytes(let bytes):
                if limit > 0 { deadline = tlc_now() + limit }
                guard let answer = try reader.read(bytes) else { continue }
                if answer.statusCode != 101 { return socket.refuse(answer) }
                return try pump(answer, begun: reader.rest)
            case .nothing: try waitInHandshake(.nothing, sends: false, until: deadline)
            case .end, .failed:
                if let answer = reader.unfinishedRefusal() { return socket.refuse(answer) }
                throw .connectionLost(
                    ConnectionLoss(stage: .beforeResponse, reason: "the connection was closed in the handshake"))
            }
        }
    }

    private func waitInHandshake(_ step: Step, sends: Bool, until deadline: Int64) throws(HTTPError) {
        if let failure = socket.failure { throw failure }
        switch step {
        case .bytes: return
        case .end: throw failure(Int32(TLC_SEND_ERROR), isConnected: true)
        case .failed(let code): throw failure(code, isConnected: true)
        case .nothing: break
        }
        let now = tlc_now()
        if now >= deadline { throw .timedOut(.idle) }
        tlc_loop_wait_for(
            loop, descriptor, !sends, sends, CurlSocketWorker.milliseconds(from: now, to: deadline))
        if let failure = socket.failure { throw failure }
    }

    private func failure(_ code: Int32, isConnected: Bool) -> HTTPError {
        let text = withUnsafeBytes(of: &transfer.pointee.error_text) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return CurlFailure(
            code: Int(code), detail: text.isEmpty ? curl.library.text(of: code) : text, isConnected: isConnected,
            url: job.exchange.request.url
        ).error(attaching: nil)
    }

    // MARK: - Open

    /// Moves bytes between the connection and the engine until the end.
    private func pump(_ response: HTTPResponse, begun: Data) throws(HTTPError) {
        let subprotocol = try job.handshake.check(response.headers)
        let engine = SocketEngine(options: job.options, wake: socket.wake)
        var reader = WebSocketReader(role: .client, maximumMessageBytes: job.options.maximumMessageBytes)
        var writer = SocketWriter()
        guard socket.open(engine, response, subprotocol: subprotocol) else { return }
        if !begun.isEmpty { engine.received(reader.read(begun), now: tlc_now()) }
        while true {
            let now = tlc_now()
            let orders = engine.orders(now: now, unsent: writer.count)
            if orders.isOver { return }
            writer.append(orders.frames)
            let wrote = writer.count > 0 ? write(&writer, telling: engine) : .nothing
            var hasMoved = if case .bytes = wrote { true } else { false }
            if orders.reads {
                hasMoved = readOnce(&reader, into: engine) || hasMoved
            }
            if case .failed = wrote {
                // What the server said last may be there still.
                while readOnce(&reader, into: engine) {}
                engine.connectionEnded(CurlSocketWorker.lost("the server takes no more"))
            }
            if !hasMoved, engine.fallAsleep(reading: orders.reads, unsent: writer.count) {
                tlc_loop_wait_for(
                    loop, descriptor, orders.reads, writer.count > 0,
                    CurlSocketWorker.milliseconds(from: now, to: orders.deadline))
            }
        }
    }

    /// Reads once; whether there may be more.
    private func readOnce(_ reader: inout WebSocketReader, into engine: SocketEngine) -> Bool {
        switch read() {
        case .bytes(let bytes):
            engine.received(reader.read(bytes), now: tlc_now())
            return true
        case .nothing: return false
        case .end: engine.connectionEnded(CurlSocketWorker.lost("it was closed without a close frame"))
        case .failed(let code): engine.connectionEnded(CurlSocketWorker.lost(curl.library.text(of: code)))
        }
        return false
    }

    private static func lost(_ reason: String) -> HTTPError {
        .connectionLost(ConnectionLoss(stage: .duringBody, reason: reason))
    }

    // MARK: - Bytes

    private enum Step {
        case bytes(UnsafeRawBufferPointer)
        case nothing
        case end
        case failed(Int32)
    }

    /// The bytes are valid until the next call.
    private func read() -> Step {
        guard let base = buffer.baseAddress else { return .end }
        var count = 0
        let code = tlc_socket_receive(transfer, base, buffer.count, &count)
        switch Int(code) {
        case TLC_OK where count > 0: return .bytes(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        case TLC_OK: return .end
        case TLC_AGAIN: return .nothing
        default: return .failed(code)
        }
    }

    private func write(_ writer: inout SocketWriter, telling engine: SocketEngine? = nil) -> Step {
        var step = Step.nothing
        let transfer = transfer
        writer.write { bytes in
            guard let base = bytes.baseAddress else { return 0 }
            var sent = 0
            let code = tlc_socket_send(transfer, base, bytes.count, &sent)
            if code == TLC_OK, sent > 0 {
                step = .bytes(bytes)
                engine?.sent(sent)
                return sent
            }
            if code != TLC_OK, code != TLC_AGAIN { step = .failed(code) }
            return 0
        }
        return step
    }

    /// The time to wait, rounded up: waking a little early would only mean to wait again.
    private static func milliseconds(from now: Int64, to deadline: Int64) -> Int32 {
        guard deadline < .max else { return 600_000 }
        return Int32(clamping: max(0, min((deadline - now + 999_999) / 1_000_000, 600_000)))
    }
}
