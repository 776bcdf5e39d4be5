import TrunklineHTTP

/// What a case expects of a header field.
struct FieldExpectation: Sendable {
    enum Kind: Sendable {
        case present
        case equals(FieldValue)
        case sameAs(String)
        case greaterThan(Double)
    }

    var name: String
    var kind: Kind

    /// A name, `[name, value]`, `[name, "=", other name]` or `[name, ">", number]`.
    init?(_ value: JSONValue) {
        if let name = value.string {
            self.name = name
            kind = .present
            return
        }
        guard let parts = value.array, let name = parts.first?.string else { return nil }
        self.name = name
        switch parts.count {
        case 2:
            guard let value = FieldValue(parts[1]) else { return nil }
            kind = .equals(value)
        case 3 where parts[1].string == "=":
            guard let other = parts[2].string else { return nil }
            kind = .sameAs(other)
        case 3 where parts[1].string == ">":
            guard let number = parts[2].double else { return nil }
            kind = .greaterThan(number)
        default:
            return nil
        }
    }
}
