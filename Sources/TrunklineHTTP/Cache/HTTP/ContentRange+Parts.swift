extension ContentRange {
    /// The range of a response; nil when it has none, several, or a malformed one.
    init?(of headers: HTTPHeaders) {
        let values = headers.values(for: "Content-Range")
        guard values.count == 1 else { return nil }
        self.init(values.first)
    }

    /// Whether the range goes to the end of the whole.
    var reachesEnd: Bool { total.map { last == $0 - 1 } ?? false }

    /// The field's value.
    var text: String { "bytes \(first)-\(last)/" + (total.map(String.init) ?? "*") }
}
