/// A name and its value: a header field, or an item of a query.
public struct HARField: Hashable, Sendable, Codable {
    /// The name, spelt as it was sent.
    public var name: String
    /// The value.
    public var value: String
    /// Words of whoever wrote it.
    public var comment: String?

    /// Makes a field.
    public init(name: String, value: String, comment: String? = nil) {
        self.name = name
        self.value = value
        self.comment = comment
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        name = try values.decode(String.self, forKey: .name)
        value = try values.decodeIfPresent(String.self, forKey: .value) ?? ""
        comment = try? values.decodeIfPresent(String.self, forKey: .comment)
    }
}

extension [HARField] {
    /// The fields of a message, in their order.
    public init(_ headers: HTTPHeaders) { self = headers.map { HARField(name: $0.name, value: $0.value) } }

    /// The fields as they go on the wire, without those that are not of HTTP/1.1: browsers write `:authority` and the
    /// like for HTTP/2.
    public var headers: HTTPHeaders {
        var headers = HTTPHeaders()
        for field in self where !field.name.hasPrefix(":") { headers.add(field.name, field.value) }
        return headers
    }
}
