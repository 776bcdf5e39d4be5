/// An entity tag (RFC 9110, section 8.8.3).
struct EntityTag: Hashable, Sendable {
    /// Whether it is `W/"…"`: two contents with the same weak tag mean the same and may differ in their bytes.
    let isWeak: Bool
    /// What is between the quotes.
    let opaque: String

    /// Reads one tag that fills the text; nil for anything else, tags without quotes included.
    init?(_ text: String) {
        let trimmed = FieldList.trimmed(text)
        var bytes = trimmed.utf8[...]
        let isWeak = bytes.starts(with: "W/".utf8)
        if isWeak { bytes = bytes.dropFirst(2) }
        guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") else { return nil }
        let inner = bytes.dropFirst().dropLast()
        guard !inner.contains(where: { $0 == UInt8(ascii: "\"") || $0 < 0x21 || $0 == 0x7F }) else { return nil }
        self.isWeak = isWeak
        opaque = String(decoding: inner, as: UTF8.self)
    }

    /// The tag of a response; nil when it has none, several, or one that is malformed.
    init?(of headers: HTTPHeaders) {
        let values = headers.values(for: "ETag")
        guard values.count == 1, let value = values.first else { return nil }
        self.init(value)
    }

    /// Weak comparison: the contents mean the same (section 8.8.3.2).
    func means(_ other: EntityTag) -> Bool { opaque.utf8.elementsEqual(other.opaque.utf8) }

    /// Strong comparison: the contents are the same bytes (section 8.8.3.2).
    func equals(_ other: EntityTag) -> Bool { !isWeak && !other.isWeak && means(other) }

    /// The tags of an `If-None-Match` or `If-Match`; malformed members are left out. Commas inside the quotes are part
    /// of a tag.
    static func list(_ text: String) -> [EntityTag] {
        var tags: [EntityTag] = []
        var member: [UInt8] = []
        var isQuoted = false
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if byte == UInt8(ascii: ","), !isQuoted {
                EntityTag(String(decoding: member, as: UTF8.self)).map { tags.append($0) }
                member = []
            } else {
                member.append(byte)
            }
        }
        EntityTag(String(decoding: member, as: UTF8.self)).map { tags.append($0) }
        return tags
    }
}
