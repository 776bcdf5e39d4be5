import Foundation

/// Reads request heads (RFC 9112, sections 2 to 6), strictly: what a lenient server would guess at is refused, so that
/// a client's mistake shows in a test.
struct HeadParser {
    /// Where the search for the end of the head goes on: the start of a line.
    private var searched = 0

    /// Takes a head from the front of the buffer; nil when it is not there in whole.
    mutating func next(from buffer: inout InputBuffer, limit: Int) throws(RequestFault) -> RequestHead? {
        let outcome: Result<RequestHead?, RequestFault> = buffer.withBytes { bytes in
            Result { () throws(RequestFault) in try parse(bytes, limit: limit) }
        }
        guard let head = try outcome.get() else { return nil }
        buffer.consume(searched)
        searched = 0
        return head
    }

    private mutating func parse(_ bytes: UnsafeRawBufferPointer, limit: Int) throws(RequestFault) -> RequestHead? {
        // Empty lines before the request line are skipped (section 2.2).
        var start = 0
        while start + 1 < bytes.count, bytes[start] == 0x0D, bytes[start + 1] == 0x0A { start += 2 }
        searched = max(searched, start)
        while true {
            guard let newline = bytes.firstIndex(of: 0x0A, from: searched) else {
                guard bytes.count <= limit else { throw HeadParser.tooLarge(limit) }
                return nil
            }
            guard newline <= limit else { throw HeadParser.tooLarge(limit) }
            guard newline > searched, bytes[newline - 1] == 0x0D else {
                throw .bad("a line of the head ends in a bare line feed")
            }
            let isEnd = newline - searched == 1
            searched = newline + 1
            if isEnd { break }
        }
        return try HeadParser.read([UInt8](bytes[start..<searched]))
    }

    private static func tooLarge(_ limit: Int) -> RequestFault {
        RequestFault(status: 431, reason: "the request head is longer than \(limit) bytes")
    }

    /// Reads a whole head, every line of which ends in CR LF.
    static func read(_ bytes: [UInt8]) throws(RequestFault) -> RequestHead {
        var head = RequestHead()
        let outcome: Result<Void, RequestFault> = bytes.withUnsafeBytes { raw in
            Result { () throws(RequestFault) in
                let lineEnd = try requestLine(raw, &head)
                head.fields = try fields(raw, from: lineEnd)
                try apply(head.fields, raw, &head)
            }
        }
        try outcome.get()
        head.bytes = bytes
        return head
    }

    private static func requestLine(_ raw: UnsafeRawBufferPointer, _ head: inout RequestHead) throws(RequestFault)
        -> Int
    {
        guard let newline = raw.firstIndex(of: 0x0A, from: 0), newline > 0 else { throw .bad("no request line") }
        let end = newline - 1
        guard let first = raw.firstIndex(of: 0x20, from: 0), first < end,
            let second = raw.firstIndex(of: 0x20, from: first + 1), second < end
        else { throw .bad("the request line is not \"method target version\"") }
        head.method = string(raw, 0..<first)
        guard HTTPToken.isToken(head.method) else { throw .bad("the method is not a token") }
        let target = UnsafeRawBufferPointer(rebasing: raw[(first + 1)..<second])
        guard !target.isEmpty, target.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw .bad("the request target is empty or has bytes that must be percent-encoded")
        }
        head.target = string(raw, (first + 1)..<second)
        switch string(raw, (second + 1)..<end) {
        case "HTTP/1.1": head.minorVersion = 1
        case "HTTP/1.0": head.minorVersion = 0
        case let other where other.utf8.count == 8 && other.hasPrefix("HTTP/"):
            throw RequestFault(status: 505, reason: "the version is not HTTP/1.1 or HTTP/1.0")
        default: throw .bad("the request line does not end in an HTTP version")
        }
        head.keepsAlive = head.minorVersion == 1
        return newline + 1
    }

    /// Reads field lines up to the empty line.
    static func fields(
        _ raw: UnsafeRawBufferPointer, from offset: Int
    ) throws(RequestFault) -> [RequestHead.FieldRange] {
        var fields: [RequestHead.FieldRange] = []
        var start = offset
        while let newline = raw.firstIndex(of: 0x0A, from: start) {
            let end = newline - 1
            if end <= start { break }
            guard raw[start] != 0x20, raw[start] != 0x09 else { throw .bad("a header line is folded") }
            guard let colon = raw.firstIndex(of: 0x3A, from: start), colon < end else {
                throw .bad("a header line has no colon")
            }
            let name = UnsafeRawBufferPointer(rebasing: raw[start..<colon])
            guard !name.isEmpty, name.allSatisfy(HTTPToken.isTokenByte) else {
                throw .bad("a header name is not a token")
            }
            var low = colon + 1
            var high = end
            while low < high, raw[low] == 0x20 || raw[low] == 0x09 { low += 1 }
            while high > low, raw[high - 1] == 0x20 || raw[high - 1] == 0x09 { high -= 1 }
            for byte in raw[low..<high] where (byte < 0x20 && byte != 0x09) || byte == 0x7F {
                throw .bad("the value of \(string(raw, start..<colon)) has a control character")
            }
            fields.append(RequestHead.FieldRange(name: start..<colon, value: low..<high))
            start = newline + 1
        }
        return fields
    }

    /// Reads the fields that the server itself acts on.
    private static func apply(
        _ fields: [RequestHead.FieldRange], _ raw: UnsafeRawBufferPointer, _ head: inout RequestHead
    ) throws(RequestFault) {
        var hosts = 0
        var length: Int64?
        for field in fields {
            let name = UnsafeRawBufferPointer(rebasing: raw[field.name])
            let value = UnsafeRawBufferPointer(rebasing: raw[field.value])
            switch field.name.count {
            case 4 where equal(name, "host"): hosts += 1
            case 6 where equal(name, "expect"): head.expectsContinue = equal(value, "100-continue")
            case 10 where equal(name, "connection"):
                for option in string(raw, field.value).lowercased().split(separator: ",") {
                    switch option.trimmingCharacters(in: .whitespaces) {
                    case "close": head.keepsAlive = false
                    case "keep-alive" where head.minorVersion == 0: head.keepsAlive = true
                    default: break
                    }
                }
            case 14 where equal(name, "content-length"):
                guard let number = decimal(value), length == nil || length == number else {
                    throw .bad("Content-Length is not one number")
                }
                length = number
            case 17 where equal(name, "transfer-encoding"):
                guard equal(value, "chunked"), head.framing == .none else {
                    throw RequestFault(status: 501, reason: "Transfer-Encoding is not \"chunked\"")
                }
                head.framing = .chunked
            default: break
            }
        }
        guard hosts == 1 || (head.minorVersion == 0 && hosts == 0) else {
            throw .bad("the request has \(hosts) Host fields in place of one")
        }
        guard let length else { return }
        guard head.framing == .none else { throw .bad("the request has Content-Length and Transfer-Encoding") }
        head.framing = length == 0 ? .none : .length(length)
    }

    private static func decimal(_ value: UnsafeRawBufferPointer) -> Int64? {
        guard !value.isEmpty, value.count <= 18 else { return nil }
        var number: Int64 = 0
        for byte in value {
            guard byte >= 0x30, byte <= 0x39 else { return nil }
            number = number * 10 + Int64(byte - 0x30)
        }
        return number
    }

    /// Compares without case; `text` is in lower case.
    private static func equal(_ bytes: UnsafeRawBufferPointer, _ text: StaticString) -> Bool {
        guard bytes.count == text.utf8CodeUnitCount, let base = bytes.baseAddress else { return false }
        return strncasecmp(base.assumingMemoryBound(to: CChar.self), text.utf8Start, bytes.count) == 0
    }

    private static func string(_ raw: UnsafeRawBufferPointer, _ range: Range<Int>) -> String {
        String(decoding: raw[range], as: UTF8.self)
    }
}
