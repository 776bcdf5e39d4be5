import Foundation

/// One parameter as a plain-text body, the others into the query.
public struct TextParameterEncoder: ParameterEncoding {
    /// The name of the parameter whose text is the body.
    public var key: String
    /// How values become text, and how the other parameters are written.
    public var format: URLParameterEncoder

    /// Makes an encoder.
    ///
    /// - Parameters:
    ///   - key: the parameter whose value is the body. Absent or null, there is no body.
    ///   - format: how numbers, dates and data become text; booleans are `true` and `false` by default.
    public init(key: String, format: URLParameterEncoder = URLParameterEncoder(bools: .literal)) {
        self.key = key
        self.format = format
        self.format.destination = .query
    }

    public func encode(_ parameters: Parameters, into request: inout HTTPRequest) throws(HTTPError) {
        var others = parameters
        others.remove(key)
        try format.encode(others, into: &request)
        guard let value = parameters[key], value != .null else { return }
        var path = ParameterPath()
        path.push(key)
        let text: String
        do {
            text = try format.text(of: value, at: path)
        } catch {
            throw .invalidRequest(error)
        }
        try request.setEncodedBody(.data(Data(text.utf8), contentType: "text/plain; charset=utf-8"))
    }
}
