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
