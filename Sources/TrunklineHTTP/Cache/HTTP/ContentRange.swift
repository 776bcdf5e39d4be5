/// Where the content of a 206 answer belongs (RFC 9110, section 14.4).
struct ContentRange: Hashable, Sendable {
    /// The offset of the first byte.
    var first: Int64
    /// The offset of the last byte.
    var last: Int64
    /// The length of the whole, where the server knows it.
    var total: Int64?

    /// From its parts.
    init(first: Int64, last: Int64, total: Int64?) {
        self.first = first
        self.last = last
        self.total = total
    }

    /// `bytes 0-4/10` or `bytes 0-4/*`; nil for anything else.
    init?(_ text: String) {
        let words = text.utf8.split(separator: 0x20)
        guard words.count == 2, let unit = String(words[0]), HTTPHeaders.equal(unit, "bytes") else { return nil }
        let parts = words[1].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let ends = parts[0].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard ends.count == 2, let first = RequestedRange.number(ends[0]), let last = RequestedRange.number(ends[1]),
            first <= last
        else { return nil }
        let total = RequestedRange.number(parts[1])
        guard total != nil || parts[1].elementsEqual("*".utf8), total.map({ last < $0 }) ?? true else { return nil }
        self.init(first: first, last: last, total: total)
    }

    /// The range of a response; nil when it has none, several, or a malformed one.
    init?(of headers: HTTPHeaders) {
        let values = headers.values(for: "Content-Range")
        guard values.count == 1, let value = values.first else { return nil }
        self.init(value)
    }

    /// Whether the range goes to the end of the whole.
    var reachesEnd: Bool { total.map { last == $0 - 1 } ?? false }

    /// The field's value.
    var text: String { "bytes \(first)-\(last)/" + (total.map(String.init) ?? "*") }
}
