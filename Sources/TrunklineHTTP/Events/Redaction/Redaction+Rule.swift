extension Redaction {
    /// Where a value stands.
    public enum Place: Hashable, Sendable {
        /// A header or trailer field.
        case header
        /// An item of a URL's query or fragment.
        case query
        /// The path of a URL; its name is empty.
        case path
        /// A field of a form.
        case form
        /// A member of a JSON object; its name is its path, `user.cards[].number`.
        case json
    }

    /// A rule of the app's. Rules are equal when one is a copy of the other.
    public struct Rule: Hashable, Sendable {
        private final class Identity: Sendable {}

        private let identity = Identity()
        let replacement: @Sendable (Place, _ name: String, _ value: String) -> String?

        /// Makes a rule.
        ///
        /// - Parameter replacement: what is shown in place of the value, or nil where the rule has nothing against it. Must
        ///   return at once. Only JSON values that are strings are asked for.
        public init(_ replacement: @escaping @Sendable (Place, _ name: String, _ value: String) -> String?) {
            self.replacement = replacement
        }

        public static func == (left: Rule, right: Rule) -> Bool { left.identity === right.identity }
        public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(identity)) }
    }

    /// What the rules make of a value; nil where they leave it.
    func ruled(_ place: Place, _ name: String, _ value: String) -> String? {
        for rule in rules {
            if let replacement = rule.replacement(place, name, value) { return replacement }
        }
        return nil
    }
}
