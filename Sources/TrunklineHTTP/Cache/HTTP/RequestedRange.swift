/// A range of bytes as a request asks for it, one of the forms of `Range: bytes=…` (RFC 9110, section 14.1.2).
enum RequestedRange: Hashable, Sendable {
    /// `first-last`
    case closed(first: Int64, last: Int64)
    /// `first-`
    case from(Int64)
    /// `-count`
    case suffix(Int64)

    /// The one range of the field; nil when there are several, another unit, or the text is malformed: such a request is
    /// the server's.
    init?(_ text: String) {
        let text = FieldList.trimmed(text)
        guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")),
            HTTPHeaders.equal(String(text[..<equals]), "bytes")
        else { return nil }
        let spec = FieldList.trim(text[text.utf8.index(after: equals)...].utf8)
        guard let dash = spec.firstIndex(of: UInt8(ascii: "-")) else { return nil }
        let (before, after) = (spec[..<dash], spec[spec.index(after: dash)...])
        switch (before.isEmpty, after.isEmpty) {
        case (true, true): return nil
        case (true, false):
            guard let count = RequestedRange.number(after), count > 0 else { return nil }
            self = .suffix(count)
        case (false, true):
            guard let first = RequestedRange.number(before) else { return nil }
            self = .from(first)
        case (false, false):
            guard let first = RequestedRange.number(before), let last = RequestedRange.number(after), first <= last
            else { return nil }
            self = .closed(first: first, last: last)
        }
    }

    /// The offsets in a content of `total` bytes; nil when there are none (RFC 9110, section 15.5.17).
    func resolved(total: Int64) -> Range<Int64>? {
        guard total > 0 else { return nil }
        switch self {
        case .closed(let first, let last): return first < total ? first..<(min(last, total - 1) + 1) : nil
        case .from(let first): return first < total ? first..<total : nil
        case .suffix(let count): return max(0, total - count)..<total
        }
    }

    /// Digits only; more than an `Int64` holds is as good as its greatest value but one, which no content reaches.
    static func number(_ text: Substring.UTF8View) -> Int64? {
        guard !text.isEmpty, text.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return min(Int64(String(Substring(text))) ?? .max, .max - 1)
    }
}
