import Foundation

/// The content of a refusal: of a given length, chunked, or up to the end of the connection.
struct HandshakeBody {
    private enum Framing {
        case length(Int)
        case chunked
        case untilEnd
    }

    private let framing: Framing
    private let limit: Int
    private(set) var content = Data()

    init(_ headers: HTTPHeaders, status: Int, limit: Int) {
        self.limit = limit
        if status == 204 || status == 304 {
            framing = .length(0)
        } else if WebSocketHandshake.hasToken("chunked", in: headers["Transfer-Encoding"]) {
            framing = .chunked
        } else if let length = headers["Content-Length"].flatMap({ Int($0) }), length >= 0 {
            framing = .length(length)
        } else {
            framing = .untilEnd
        }
    }

    /// Moves what there is out of `bytes`; the whole content when it is complete, or long enough.
    mutating func read(_ bytes: inout Data) -> Data? {
        switch framing {
        case .length(let length):
            take(&bytes, min(bytes.count, length - content.count))
            if content.count >= min(length, limit) { return content.prefix(limit) }
        case .untilEnd:
            take(&bytes, bytes.count)
        case .chunked:
            while let line = bytes.firstIndex(of: 0x0A) {
                let size = bytes[bytes.startIndex..<line].prefix { $0 != 0x0D && $0 != UInt8(ascii: ";") }
                let text = String(decoding: size, as: UTF8.self).trimmingCharacters(in: .whitespaces)
                // Broken chunks end the content; the refusal stands.
                guard let count = Int(text, radix: 16), count > 0, count <= limit else { return content }
                let start = line + 1
                // With the end of its line, so that what is left begins with a size.
                guard bytes.endIndex - start >= count + 2 else { return nil }
                content.append(bytes[start..<(start + count)])
                bytes = Data(bytes[(start + count + 2)...])
                if content.count >= limit { return content.prefix(limit) }
            }
        }
        return content.count >= limit ? content.prefix(limit) : nil
    }

    private mutating func take(_ bytes: inout Data, _ count: Int) {
        content.append(bytes.prefix(count))
        bytes = Data(bytes.dropFirst(count))
    }
}
