/// One link of a `Link` header field (RFC 8288, section 3).
public struct WebLink: Hashable, Sendable {
    /// The URI reference between the angle brackets, as it was sent.
    public let target: String
    /// The parameters in order, names in lower case, quotes and their escapes resolved; of `rel`, as of every name, the first
    /// counts (section 3.3).
    public let parameters: [Parameter]

    /// A parameter of a link; one without a value has an empty one.
    public struct Parameter: Hashable, Sendable {
        /// The name, in lower case.
        public let name: String
        /// The value.
        public let value: String
    }

    /// The value of a parameter, its name in any case.
    public subscript(_ name: String) -> String? {
        let name = name.lowercased()
        return parameters.first { $0.name == name }?.value
    }

    /// The relations, in lower case.
    public var relations: [String] {
        (self["rel"] ?? "").lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
    }

    /// Whether the link says this of the answer it came with. One with an `anchor` speaks of something else (section 3.2).
    func has(relation: String) -> Bool { self["anchor"] == nil && relations.contains(relation) }

    /// The links of the field's lines, in order. Whatever is not a link is passed over, up to the next comma.
    public static func parse(_ lines: [String]) -> [WebLink] {
        lines.flatMap { line in
            var reader = WebLinkReader(line)
            return reader.links()
        }
    }
}
