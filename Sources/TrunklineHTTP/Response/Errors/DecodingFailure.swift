/// Content that could not be turned into the value asked for.
public struct DecodingFailure: Sendable, CustomStringConvertible {
    /// The type that was asked for.
    public var type: String
    /// Where in the content it went wrong, like `items[3].price`; empty for the whole.
    public var path: String
    /// What was wrong.
    public var reason: String
    /// The whole response, raw bytes included.
    public var response: HTTPResponse?
    /// The line of a stream of values, from 1; nil for anything else.
    public var line: Int?

    /// Makes a failure.
    public init(type: String, path: String = "", reason: String, response: HTTPResponse? = nil, line: Int? = nil) {
        self.type = type
        self.path = path
        self.reason = reason
        self.response = response
        self.line = line
    }

    /// What could not be decoded, where and why.
    public var description: String {
        let place = (path.isEmpty ? "" : " at \"\(path)\"") + (line.map { " in line \($0)" } ?? "")
        return "The content is not a \(type)\(place): \(Redaction.standard.text(reason))."
    }
}
