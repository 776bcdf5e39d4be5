import Foundation

/// One frame (RFC 6455, section 5.2), unmasked.
package struct WebSocketFrame: Hashable, Sendable {
    /// What a frame is.
    package enum Opcode: UInt8, Sendable {
        case continuation = 0x0
        case text = 0x1
        case binary = 0x2
        case close = 0x8
        case ping = 0x9
        case pong = 0xA

        package var isControl: Bool { rawValue >= 0x8 }
    }

    package var isFinal: Bool
    package var opcode: Opcode
    package var payload: Data

    package init(isFinal: Bool = true, opcode: Opcode, payload: Data = Data()) {
        self.isFinal = isFinal
        self.opcode = opcode
        self.payload = payload
    }
}

/// What the peer did that the protocol doesn't allow: the code it is told, and the failure.
package struct WebSocketViolation: Error, Hashable, Sendable {
    package var code: WebSocketCloseCode
    package var failure: WebSocketFailure

    static func broken(_ detail: String) -> WebSocketViolation {
        WebSocketViolation(
            code: .protocolError, failure: WebSocketFailure(reason: .protocolViolation, detail: detail))
    }

    static func text(_ place: String) -> WebSocketViolation {
        WebSocketViolation(
            code: .invalidPayload, failure: WebSocketFailure(reason: .invalidText, detail: "\(place) is not UTF-8"))
    }

    static func tooBig(_ limit: Int) -> WebSocketViolation {
        WebSocketViolation(
            code: .messageTooBig,
            failure: WebSocketFailure(reason: .messageTooBig, detail: "a message is larger than \(limit) bytes"))
    }
}
