/// What tells one state of a representation from another byte by byte, fit for `If-Range`.
struct DownloadValidator: Hashable, Sendable {
    /// The field's value, an entity tag with its quotes or a date, as the server wrote it.
    let text: String
    let isDate: Bool

    /// The strong validator of a response, or nil. An entity tag counts alone: where it is weak, a date beside it is not
    /// used (RFC 9110, section 13.1.5). A date counts when it is a second older than `Date` at least (section 8.8.2.2).
    init?(_ headers: HTTPHeaders) {
        if let tag = headers["ETag"] {
            guard DownloadValidator.isStrong(tag) else { return nil }
            text = tag
            isDate = false
            return
        }
        guard let modified = headers["Last-Modified"], let changed = HTTPDate.parse(modified), let sent = headers.date,
            sent.timeIntervalSince(changed) >= 1
        else { return nil }
        text = modified
        isDate = true
    }

    init(text: String, isDate: Bool) {
        self.text = text
        self.isDate = isDate
    }

    /// Whether these fields, of an answer to `If-Range`, contradict the validator. An answer may leave them out
    /// (RFC 9110, section 15.3.7).
    func contradicts(_ headers: HTTPHeaders) -> Bool {
        let other = isDate ? headers["Last-Modified"] : headers["ETag"]
        return other.map { $0 != text } ?? false
    }

    private static func isStrong(_ tag: String) -> Bool {
        let bytes = Array(tag.utf8)
        guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") else {
            return false
        }
        return bytes.dropFirst().dropLast().allSatisfy { $0 >= 0x21 && $0 != UInt8(ascii: "\"") && $0 != 0x7F }
    }
}
