import Foundation

/// Reads header lines as browsers do: the name ends at the colon, white space around the value goes, lines end in CR LF
/// or LF, folded lines are joined (RFC 9112, section 5.2), lines that are no field are skipped, repeated ones kept
/// apart.
enum HeadParser {
    /// The fields of the lines in `bytes`. The first line is skipped where it is a status line.
    static func fields(in bytes: UnsafeRawBufferPointer, skippingFirstLine: Bool) -> HTTPHeaders {
        var fields: [HTTPHeaders.Field] = []
        fields.reserveCapacity(12)
        var start = 0
        var isFirst = skippingFirstLine
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
            if isFirst {
                isFirst = false
            } else {
                add(line: UnsafeRawBufferPointer(rebasing: bytes[start..<end]), to: &fields)
            }
            start = end + 1
        }
        return HTTPHeaders(fields)
    }

    private static func add(line: UnsafeRawBufferPointer, to fields: inout [HTTPHeaders.Field]) {
        guard let first = line.first else { return }
        if isSpace(first) {
            let rest = text(trimming: line)
            if let last = fields.indices.last, !rest.isEmpty {
                fields[last].value += fields[last].value.isEmpty ? rest : " " + rest
            }
            return
        }
        guard let colon = line.firstIndex(of: 0x3A) else { return }
        let name = text(trimming: UnsafeRawBufferPointer(rebasing: line[..<colon]))
        guard !name.isEmpty else { return }
        fields.append(HTTPHeaders.Field(name, text(trimming: UnsafeRawBufferPointer(rebasing: line[(colon + 1)...]))))
    }

    /// The text without white space around it: UTF-8 where it is that, else Latin-1, as older servers mean it.
    static func text(trimming bytes: UnsafeRawBufferPointer) -> String {
        var start = 0
        var end = bytes.count
        while start < end, isSpace(bytes[start]) { start += 1 }
        while start < end, isSpace(bytes[end - 1]) { end -= 1 }
        let trimmed = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
        if trimmed.allSatisfy({ $0 < 0x80 }) { return String(decoding: trimmed, as: UTF8.self) }
        return String(bytes: trimmed, encoding: .utf8)
            ?? trimmed.reduce(into: "") { $0.unicodeScalars.append(Unicode.Scalar($1)) }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
}
