/// The `name=value` pairs of a header field, quoted strings understood (RFC 9110, sections 5.6.4 and 5.6.6).
enum HeaderParameters {
    /// The pairs, between commas or semicolons; what is no pair is passed over.
    static func all(in field: String) -> [(name: String, value: String)] {
        var result: [(name: String, value: String)] = []
        var name = ""
        var value: String?
        var isQuoted = false
        var isEscaped = false
        func finish() {
            if let found = value {
                result.append((trimmed(name), isQuotedValue ? found : trimmed(found)))
            }
            (name, value, isQuotedValue) = ("", nil, false)
        }
        var isQuotedValue = false
        for character in field {
            if isEscaped {
                value?.append(character)
                isEscaped = false
            } else if isQuoted {
                switch character {
                case "\\": isEscaped = true
                case "\"": isQuoted = false
                default: value?.append(character)
                }
            } else if character == "\"", value != nil {
                (isQuoted, isQuotedValue) = (true, true)
                value = ""
            } else if character == ";" || character == "," {
                finish()
            } else if character == "=", value == nil {
                value = ""
            } else if value != nil {
                if !isQuotedValue { value?.append(character) }
            } else {
                name.append(character)
            }
        }
        finish()
        return result
    }

    private static func trimmed(_ text: String) -> String {
        let front = text.drop { $0 == " " || $0 == "\t" }
        return String(front.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}
