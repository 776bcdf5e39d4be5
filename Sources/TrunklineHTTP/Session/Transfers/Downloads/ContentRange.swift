/// The `Content-Range` field of a single part (RFC 9110, section 14.4): `bytes 4-9/10`.
struct ContentRange: Hashable, Sendable {
    let first: Int64
    let last: Int64
    /// The length of the whole, or nil for `*`.
    let total: Int64?

    /// The number of bytes in the part.
    var count: Int64 { last - first + 1 }

    /// Nil for anything that is not a valid range of bytes.
    init?(_ text: String?) {
        guard let text else { return nil }
        let words = text.split(whereSeparator: { $0 == " " || $0 == "\t" })
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let sides = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard sides.count == 2 else { return nil }
        let ends = sides[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = ContentRange.number(ends[0]), let last = ContentRange.number(ends[1]),
            first <= last, last < Int64.max
        else { return nil }
        if sides[1] == "*" {
            total = nil
        } else {
            guard let number = ContentRange.number(sides[1]), last < number else { return nil }
            total = number
        }
        self.first = first
        self.last = last
    }

    /// From its parts.
    init(first: Int64, last: Int64, total: Int64?) {
        self.first = first
        self.last = last
        self.total = total
    }

    private static func number(_ text: Substring) -> Int64? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(text) : nil
    }
}
