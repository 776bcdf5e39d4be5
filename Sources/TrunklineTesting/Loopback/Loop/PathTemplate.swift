/// A route's path: literal segments, `{name}` for any one segment, and `*` at the end for any rest.
struct PathTemplate: Sendable, Hashable {
    private enum Segment: Sendable, Hashable {
        case literal(String)
        case value(String)
    }

    let text: String
    private let segments: [Segment]
    private let takesRest: Bool
    /// Whether the template is a plain path.
    let isLiteral: Bool

    init(_ text: String) {
        self.text = text
        var parts = PathTemplate.split(text)
        takesRest = parts.last == "*"
        if takesRest { parts.removeLast() }
        segments = parts.map { part in
            guard part.count > 2, part.first == "{", part.last == "}" else { return .literal(String(part)) }
            return .value(String(part.dropFirst().dropLast()))
        }
        isLiteral = !takesRest && segments.allSatisfy { if case .literal = $0 { true } else { false } }
    }

    /// The values of the names when the template matches the segments of an encoded path, else nil. The rest is under
    /// the name `*`.
    func match(_ parts: [Substring]) -> [String: String]? {
        guard takesRest ? parts.count >= segments.count : parts.count == segments.count else { return nil }
        var values: [String: String] = [:]
        for (segment, part) in zip(segments, parts) {
            let decoded = LoopbackTarget.decode(part)
            switch segment {
            case .literal(let literal): if literal != decoded { return nil }
            case .value(let name): values[name] = decoded
            }
        }
        if takesRest {
            values["*"] = parts.dropFirst(segments.count).map { LoopbackTarget.decode($0) }.joined(separator: "/")
        }
        return values
    }

    /// The segments of a path, after the first slash.
    static func split(_ path: String) -> [Substring] {
        let rest = path.utf8.first == UInt8(ascii: "/") ? path.dropFirst() : Substring(path)
        return rest.split(separator: "/", omittingEmptySubsequences: false)
    }
}
