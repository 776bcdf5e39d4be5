import Foundation

/// The receiving half of a connection (RFC 6455, sections 5.4 to 5.6, 6.2 and 7): bytes go in, what they mean comes out.
/// Pure. Puts fragments together, with control frames in between; checks text and close frames. After a close or a
/// violation it takes no more.
package struct WebSocketReader: Sendable {
    package enum Event: Hashable, Sendable {
        case message(WebSocketMessage)
        /// To be answered with a pong of the same payload.
        case ping(Data)
        case pong(Data)
        /// The peer closes.
        case close(WebSocketClosure)
        /// The peer broke a rule: to be told, and the connection ended.
        case violation(WebSocketViolation)
    }

    private let maximumMessageBytes: Int
    private var decoder: FrameDecoder
    private var isOver = false
    /// The message whose fragments are coming.
    private var kind: WebSocketFrame.Opcode?
    private var content = Data()
    private var text = UTF8Validator()

    /// - Parameter role: the side that reads.
    package init(role: WebSocketRole, maximumMessageBytes: Int) {
        self.maximumMessageBytes = max(0, maximumMessageBytes)
        decoder = FrameDecoder(role: role)
    }

    package mutating func read(_ bytes: Data) -> [Event] { bytes.withUnsafeBytes { read($0) } }

    package mutating func read(_ bytes: UnsafeRawBufferPointer) -> [Event] {
        var events: [Event] = []
        var input = bytes
        do {
            while !isOver,
                let frame = try decoder.next(
                    &input, allowance: maximumMessageBytes - content.count, limit: maximumMessageBytes)
            {
                if let event = try event(of: frame) { events.append(event) }
            }
        } catch {
            isOver = true
            events.append(.violation(error))
        }
        return events
    }

    private mutating func event(of frame: WebSocketFrame) throws(WebSocketViolation) -> Event? {
        switch frame.opcode {
        case .ping: return .ping(frame.payload)
        case .pong: return .pong(frame.payload)
        case .close:
            let closure = try closure(of: frame.payload)
            isOver = true
            return .close(closure)
        case .text, .binary:
            if kind != nil { throw .broken("a message began before the last fragment of another") }
            kind = frame.opcode
            content = frame.payload
        case .continuation:
            if kind == nil { throw .broken("a continuation of nothing") }
            content.append(frame.payload)
        }
        if kind == .text, !frame.payload.withUnsafeBytes({ text.push($0) }) { throw .text("a text message") }
        guard frame.isFinal else { return nil }
        defer {
            kind = nil
            content = Data()
            text = UTF8Validator()
        }
        guard kind == .text else { return .message(.binary(content)) }
        guard text.isComplete else { throw .text("a text message") }
        return .message(.text(String(decoding: content, as: UTF8.self)))
    }

    private func closure(of payload: Data) throws(WebSocketViolation) -> WebSocketClosure {
        guard !payload.isEmpty else { return WebSocketClosure(code: .noStatus) }
        guard payload.count >= 2 else { throw .broken("a close frame has half a code") }
        let code = WebSocketCloseCode(
            UInt16(payload[payload.startIndex]) << 8 | UInt16(payload[payload.startIndex + 1]))
        guard code.isSendable else { throw .broken("the close code \(code) must not be sent") }
        let reason = payload.dropFirst(2)
        var validator = UTF8Validator()
        guard reason.withUnsafeBytes({ validator.push($0) }), validator.isComplete else {
            throw .text("the reason of a close")
        }
        return WebSocketClosure(code: code, reason: String(decoding: reason, as: UTF8.self))
    }
}
