/// Header fields: ordered, case-insensitive by name, several values a name where the wire has several lines.
///
/// Names keep the spelling they were set with. Lookups ignore case (RFC 9110, section 5.1). Repeated fields are kept
/// apart; ``subscript(_:)`` joins them with `", "` (section 5.3), ``values(for:)`` gives each, which `Set-Cookie`
/// needs (RFC 6265, section 3).
///
/// Nothing is checked when a field is set; ``validate()`` runs on the final request before anything is sent, whatever
/// source the field came from.
public struct HTTPHeaders: Sendable {
    /// One field line.
    public struct Field: Hashable, Sendable {
        /// The name, spelt as it was set or received.
        public var name: String
        /// The value, without the white space around it.
        public var value: String

        /// Makes a field; it is checked when the request is sent.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The field lines in order.
    public private(set) var fields: [Field]

    /// Makes an empty set of fields.
    public init() { fields = [] }

    /// Makes fields from lines, in order, repeated names kept.
    public init(_ fields: [Field]) { self.fields = fields }

    /// The field's value; several lines of one name joined with `", "`; nil when the field is absent. Setting replaces
    /// every line of that name, setting nil removes them.
    public subscript(_ name: String) -> String? {
        get {
            var joined: String?
            for field in fields where HTTPHeaders.equal(field.name, name) {
                joined = joined.map { $0 + ", " + field.value } ?? field.value
            }
            return joined
        }
        set {
            if let newValue { set(name, newValue) } else { remove(name) }
        }
    }

    /// Every value of the field, a line each, in order.
    public func values(for name: String) -> [String] {
        fields.compactMap { HTTPHeaders.equal($0.name, name) ? $0.value : nil }
    }

    /// Whether the field is present.
    public func contains(_ name: String) -> Bool {
        fields.contains { HTTPHeaders.equal($0.name, name) }
    }

    /// Replaces every line of `name` by one, in the place of the first.
    public mutating func set(_ name: String, _ value: String) {
        guard let first = fields.firstIndex(where: { HTTPHeaders.equal($0.name, name) }) else {
            fields.append(Field(name, value))
            return
        }
        fields[first] = Field(name, value)
        var index = fields.count - 1
        while index > first {
            if HTTPHeaders.equal(fields[index].name, name) { fields.remove(at: index) }
            index -= 1
        }
    }

    /// Adds a line, keeping those of the same name.
    public mutating func add(_ name: String, _ value: String) {
        fields.append(Field(name, value))
    }

    /// Removes every line of `name`.
    public mutating func remove(_ name: String) {
        fields.removeAll { HTTPHeaders.equal($0.name, name) }
    }

    /// Sets the field unless it is present.
    public mutating func setDefault(_ name: String, _ value: @autoclosure () -> String) {
        if !contains(name) { fields.append(Field(name, value())) }
    }

    /// Puts `other` over these: a name that `other` has replaces every line of it here.
    public mutating func merge(_ other: HTTPHeaders) {
        if fields.isEmpty {
            fields = other.fields
            return
        }
        var replaced: [String] = []
        for field in other.fields {
            if replaced.contains(where: { HTTPHeaders.equal($0, field.name) }) {
                add(field.name, field.value)
            } else {
                replaced.append(field.name)
                set(field.name, field.value)
            }
        }
    }

    /// These fields with `other` over them; see ``merge(_:)``.
    public func merging(_ other: HTTPHeaders) -> HTTPHeaders {
        var result = self
        result.merge(other)
        return result
    }

    /// Whether there is no field.
    public var isEmpty: Bool { fields.isEmpty }

    /// The number of field lines.
    public var count: Int { fields.count }

    /// ASCII case-insensitive comparison, with no allocation.
    static func equal(_ lhs: String, _ rhs: String) -> Bool {
        let left = lhs.utf8
        let right = rhs.utf8
        guard left.count == right.count else { return false }
        var others = right.makeIterator()
        for byte in left {
            guard let other = others.next(), byte == other || lowercased(byte) == lowercased(other) else {
                return false
            }
        }
        return true
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Makes fields from a literal, in its order, repeated names kept.
    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field($0.0, $0.1) }
    }
}

extension HTTPHeaders: ExpressibleByArrayLiteral {
    /// Makes fields from a list, `[.accept("text/html"), .bearer(token)]`, in its order.
    public init(arrayLiteral elements: Field...) {
        fields = elements
    }
}

extension HTTPHeaders: Sequence {
    /// Iterates the field lines in order.
    public func makeIterator() -> Array<Field>.Iterator { fields.makeIterator() }
}

extension HTTPHeaders: Hashable {
    /// Equal when they have the same lines in the same order, names compared without case.
    public static func == (lhs: HTTPHeaders, rhs: HTTPHeaders) -> Bool {
        lhs.fields.count == rhs.fields.count
            && zip(lhs.fields, rhs.fields).allSatisfy { equal($0.name, $1.name) && $0.value == $1.value }
    }

    /// Hashes names without case, values as they are.
    public func hash(into hasher: inout Hasher) {
        for field in fields {
            hasher.combine(field.name.lowercased())
            hasher.combine(field.value)
        }
    }
}
