/// Reads the directives of `Cache-Control` one after the other (RFC 9111, section 5.2):
/// `token [ "=" ( token / quoted-string ) ]`, separated by commas. No white space belongs around the `=`; a directive that
/// has some, or anything else behind its value, keeps its name and has a malformed value.
struct DirectiveReader {
    enum Value: Hashable, Sendable {
        case none
        case text(String)
        case malformed
    }

    struct Directive: Hashable, Sendable {
        /// In lower case.
        var name: String
        var value: Value
    }

    private var reader: FieldReader

    init(_ text: String) { reader = FieldReader(text) }

    /// The next directive, or nil at the end. Empty list members are passed over (RFC 9110, section 5.6.1.2).
    mutating func next() -> Directive? {
        while !reader.isAtEnd {
            reader.skipSpace()
            if reader.skip(",") { continue }
            guard let name = reader.token() else {
                reader.skipToMemberEnd()
                continue
            }
            let value = value()
            reader.skipToMemberEnd()
            return Directive(name: name.lowercased(), value: value)
        }
        return nil
    }

    private mutating func value() -> Value {
        guard reader.skip("=") else { return isAtMemberEnd() ? .none : .malformed }
        guard let text = reader.isAt("\"") ? reader.quoted() : reader.token() else { return .malformed }
        return isAtMemberEnd() ? .text(text) : .malformed
    }

    /// Whether only white space is left of this list member; skips it.
    private mutating func isAtMemberEnd() -> Bool {
        reader.skipSpace()
        return reader.isAtEnd || reader.isAt(",")
    }
}
