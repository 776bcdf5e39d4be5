import Foundation

/// Writes frames (RFC 6455, section 5.2). Pure but for the masking key.
package struct FrameEncoder: Sendable {
    /// Payloads beyond this many bytes are cut into several frames, so that a pong needn't wait for a huge message.
    package static let maximumPayload = 1 << 20

    /// The side that writes: a client masks, a server doesn't (section 5.1).
    package let role: WebSocketRole
    /// Where masking keys come from: by default the system's random numbers, as section 5.3 asks.
    private let makeKey: @Sendable () -> UInt32

    package init(role: WebSocketRole, makeKey: @escaping @Sendable () -> UInt32 = { .random(in: .min ... .max) }) {
        self.role = role
        self.makeKey = makeKey
    }

    /// The bytes of one frame.
    package func encode(_ frame: WebSocketFrame) -> Data {
        encode(frame.opcode, isFinal: frame.isFinal, frame.payload)
    }

    /// The frames of a message.
    package func encode(_ message: WebSocketMessage) -> Data {
        let (opcode, payload): (WebSocketFrame.Opcode, Data) =
            switch message {
            case .text(let text): (.text, Data(text.utf8))
            case .binary(let data): (.binary, data)
            }
        if payload.count <= FrameEncoder.maximumPayload { return encode(opcode, isFinal: true, payload) }
        var bytes = Data(capacity: payload.count + (payload.count / FrameEncoder.maximumPayload + 1) * 14)
        var rest = payload
        var kind = opcode
        while !rest.isEmpty {
            let piece = rest.prefix(FrameEncoder.maximumPayload)
            rest = rest.dropFirst(piece.count)
            bytes.append(encode(kind, isFinal: rest.isEmpty, piece))
            kind = .continuation
        }
        return bytes
    }

    /// A close frame; without a code it is empty.
    package func encodeClose(_ code: WebSocketCloseCode?, reason: String = "") -> Data {
        var payload = Data()
        if let code, code != .noStatus {
            withUnsafeBytes(of: code.rawValue.bigEndian) { payload.append(contentsOf: $0) }
            payload.append(contentsOf: reason.utf8)
        }
        return encode(.close, isFinal: true, payload)
    }

    private func encode(_ opcode: WebSocketFrame.Opcode, isFinal: Bool, _ payload: Data) -> Data {
        var bytes = Data(capacity: payload.count + 14)
        bytes.append(opcode.rawValue | (isFinal ? 0x80 : 0))
        let mask: UInt8 = role == .client ? 0x80 : 0
        switch payload.count {
        case ...125:
            bytes.append(mask | UInt8(payload.count))
        case ...0xFFFF:
            bytes.append(mask | 126)
            withUnsafeBytes(of: UInt16(payload.count).bigEndian) { bytes.append(contentsOf: $0) }
        default:
            bytes.append(mask | 127)
            withUnsafeBytes(of: UInt64(payload.count).bigEndian) { bytes.append(contentsOf: $0) }
        }
        guard role == .client else {
            bytes.append(payload)
            return bytes
        }
        let key = makeKey().bigEndian
        withUnsafeBytes(of: key) { bytes.append(contentsOf: $0) }
        let start = bytes.count
        bytes.append(payload)
        bytes.withUnsafeMutableBytes { bytes in
            FrameMask.apply(key, to: UnsafeMutableRawBufferPointer(rebasing: bytes[start...]))
        }
        return bytes
    }
}
