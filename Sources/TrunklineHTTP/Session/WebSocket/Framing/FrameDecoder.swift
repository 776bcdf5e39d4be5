import Foundation

/// Reads frames from bytes that come in pieces (RFC 6455, section 5.2). Pure; where the pieces are cut makes no
/// difference. Strict: reserved bits and opcodes, lengths that aren't minimal, control frames that are long or in
/// fragments, and a mask on the wrong side are violations.
package struct FrameDecoder: Sendable {
    /// A header as far as it matters.
    private struct Header: Sendable {
        var isFinal: Bool
        var opcode: WebSocketFrame.Opcode
        var length: Int
        var key: UInt32?
    }

    /// The side that reads.
    private let role: WebSocketRole
    private var head: [UInt8] = []
    private var header: Header?
    private var payload = Data()

    package init(role: WebSocketRole) {
        self.role = role
        head.reserveCapacity(14)
    }

    /// Takes bytes off the front of `input` and returns the frame they complete, or nil when all were taken and more are
    /// needed.
    ///
    /// - Parameter allowance: the most payload of the next data frame.
    mutating func next(
        _ input: inout UnsafeRawBufferPointer, allowance: Int, limit: Int
    ) throws(WebSocketViolation) -> WebSocketFrame? {
        if header == nil {
            guard try readHeader(&input) else { return nil }
            guard let header else { return nil }
            if !header.opcode.isControl, header.length > allowance { throw .tooBig(limit) }
            // A promise gets memory as it is kept.
            payload = Data(capacity: min(header.length, 1 << 20))
        }
        guard let header else { return nil }
        let count = min(input.count, header.length - payload.count)
        if count > 0 {
            payload.append(contentsOf: UnsafeRawBufferPointer(rebasing: input[..<count]))
            input = UnsafeRawBufferPointer(rebasing: input[count...])
        }
        guard payload.count == header.length else { return nil }
        if let key = header.key { payload.withUnsafeMutableBytes { FrameMask.apply(key, to: $0) } }
        let frame = WebSocketFrame(isFinal: header.isFinal, opcode: header.opcode, payload: payload)
        (self.header, payload) = (nil, Data())
        head.removeAll(keepingCapacity: true)
        return frame
    }

    /// Whether the header is complete.
    private mutating func readHeader(_ input: inout UnsafeRawBufferPointer) throws(WebSocketViolation) -> Bool {
        while head.count < headerLength {
            guard let byte = input.first else { return false }
            input = UnsafeRawBufferPointer(rebasing: input.dropFirst())
            head.append(byte)
            if head.count == 2 { try check(head[0], head[1]) }
        }
        let isMasked = head[1] & 0x80 != 0
        let short = Int(head[1] & 0x7F)
        let lengthBytes = short < 126 ? 0 : (short == 126 ? 2 : 8)
        var length = UInt64(short)
        if lengthBytes > 0 {
            length = head[2..<(2 + lengthBytes)].reduce(0) { $0 << 8 | UInt64($1) }
            if length < (lengthBytes == 2 ? 126 : 0x1_0000) { throw .broken("a length is not in its shortest form") }
            if length > UInt64(Int64.max) { throw .broken("a length has its highest bit set") }
        }
        guard let opcode = WebSocketFrame.Opcode(rawValue: head[0] & 0x0F) else {
            throw .broken("the opcode \(head[0] & 0x0F) is reserved")
        }
        let key = isMasked ? head.suffix(4).withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) } : nil
        header = Header(isFinal: head[0] & 0x80 != 0, opcode: opcode, length: Int(clamping: length), key: key)
        return true
    }

    /// How many bytes the header has, as far as that is known.
    private var headerLength: Int {
        guard head.count >= 2 else { return 2 }
        let short = head[1] & 0x7F
        return 2 + (short < 126 ? 0 : (short == 126 ? 2 : 8)) + (head[1] & 0x80 != 0 ? 4 : 0)
    }

    private func check(_ first: UInt8, _ second: UInt8) throws(WebSocketViolation) {
        if first & 0x70 != 0 { throw .broken("a reserved bit is set, and no extension was agreed on") }
        guard let opcode = WebSocketFrame.Opcode(rawValue: first & 0x0F) else {
            throw .broken("the opcode \(first & 0x0F) is reserved")
        }
        if opcode.isControl, first & 0x80 == 0 { throw .broken("a control frame is fragmented") }
        if opcode.isControl, second & 0x7F > 125 { throw .broken("a control frame is longer than 125 bytes") }
        let isMasked = second & 0x80 != 0
        if role == .client, isMasked { throw .broken("the server masked a frame") }
        if role == .server, !isMasked { throw .broken("the client did not mask a frame") }
    }
}
