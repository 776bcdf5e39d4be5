/// The members of comma-separated lists without quoted strings in them: field names, mostly (RFC 9110, section 5.6.1).
enum FieldList {
    /// The members without the white space around them; empty ones are left out.
    static func members(of text: String) -> [String] {
        text.utf8.split(separator: UInt8(ascii: ",")).compactMap { part in
            let trimmed = trim(part)
            return trimmed.isEmpty ? nil : String(Substring(trimmed))
        }
    }

    /// The members of all lines of the field, in lower case.
    static func names(_ field: String, in headers: HTTPHeaders) -> [String] {
        var names: [String] = []
        for line in headers where HTTPHeaders.equal(line.name, field) {
            names += members(of: line.value).map { $0.lowercased() }
        }
        return names
    }

    /// Without spaces and tabs at both ends.
    static func trim(_ text: Substring.UTF8View) -> Substring.UTF8View {
        var text = text.drop { $0 == 0x20 || $0 == 0x09 }
        while let last = text.last, last == 0x20 || last == 0x09 { text = text.dropLast() }
        return text
    }

    /// The text without spaces and tabs at both ends.
    static func trimmed(_ text: String) -> String { String(Substring(trim(text[...].utf8))) }
}
