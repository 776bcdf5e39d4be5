/// Takes apart `Set-Cookie` lines that a platform has joined with commas, which also stand inside dates (RFC 6265,
/// section 3).
enum SetCookieLines {
    /// The lines. A comma parts two of them where a cookie name and `=` follow; after the comma of a date come a space
    /// and a number.
    static func split(_ joined: String) -> [String] {
        var lines: [String] = []
        var start = joined.startIndex
        var index = start
        while let comma = joined[index...].firstIndex(of: ",") {
            let next = joined.index(after: comma)
            let rest = joined[next...].drop { $0 == " " }
            let name = rest.prefix { $0.utf8.allSatisfy(HTTPToken.isTokenByte) }
            if !name.isEmpty, rest.dropFirst(name.count).first == "=" {
                lines.append(String(joined[start..<comma]))
                start = rest.startIndex
            }
            index = next
        }
        lines.append(String(joined[start...]))
        return lines
    }
}
