/// Reads a line of a `Link` field (RFC 8288, appendix B.2). Takes any text.
struct WebLinkReader {
    private let characters: [Unicode.Scalar]
    private var position = 0

    init(_ text: String) { characters = Array(text.unicodeScalars) }

    private var current: Unicode.Scalar? { characters.indices.contains(position) ? characters[position] : nil }

    mutating func links() -> [WebLink] {
        var links: [WebLink] = []
        while current != nil {
            skip { $0 == "," || Self.isSpace($0) }
            if let link = link() { links.append(link) } else { skipToComma() }
        }
        return links
    }

    /// The link that begins here; nil, with the position anywhere before the next comma's link, when none does.
    private mutating func link() -> WebLink? {
        guard take("<") else { return nil }
        let target = text { $0 != ">" }
        guard take(">") else { return nil }
        var parameters: [WebLink.Parameter] = []
        while true {
            skip(Self.isSpace)
            guard take(";") else { break }
            skip(Self.isSpace)
            let name = text { !Self.isSpace($0) && $0 != "=" && $0 != ";" && $0 != "," }.lowercased()
            skip(Self.isSpace)
            var value = ""
            if take("=") {
                skip(Self.isSpace)
                value = take("\"") ? quoted() : text { $0 != ";" && $0 != "," && !Self.isSpace($0) }
            }
            if !name.isEmpty { parameters.append(WebLink.Parameter(name: name, value: value)) }
        }
        skipToComma()
        return WebLink(target: Self.trimmed(target), parameters: parameters)
    }

    /// The rest of a quoted text whose first quote was read; an unfinished one ends with the line.
    private mutating func quoted() -> String {
        var text = String.UnicodeScalarView()
        while let character = next(), character != "\"" {
            text.append(character == "\\" ? next() ?? character : character)
        }
        return String(text)
    }

    private mutating func skipToComma() {
        while let character = current, character != "," {
            position += 1
            if character == "\"" { _ = quoted() }
        }
    }

    private mutating func next() -> Unicode.Scalar? {
        guard let character = current else { return nil }
        position += 1
        return character
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard current == character else { return false }
        position += 1
        return true
    }

    private mutating func skip(_ condition: (Unicode.Scalar) -> Bool) {
        while let character = current, condition(character) { position += 1 }
    }

    private mutating func text(_ condition: (Unicode.Scalar) -> Bool) -> String {
        let start = position
        skip(condition)
        var text = String.UnicodeScalarView()
        text.append(contentsOf: characters[start..<position])
        return String(text)
    }

    private static func isSpace(_ character: Unicode.Scalar) -> Bool { character == " " || character == "\t" }

    private static func trimmed(_ text: String) -> String {
        String(text.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}
