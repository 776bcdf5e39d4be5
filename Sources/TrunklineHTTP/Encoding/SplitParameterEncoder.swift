/// Some parameters into the query, the rest to another encoder.
public struct SplitParameterEncoder: ParameterEncoding {
    /// The names that go into the query; the ones a request doesn't have are ignored.
    public var queryKeys: Set<String>
    /// How the query is written.
    public var query: URLParameterEncoder
    /// Where the other parameters go.
    public var rest: any ParameterEncoding

    /// Makes an encoder.
    ///
    /// - Parameters:
    ///   - queryKeys: the top-level names that go into the query.
    ///   - query: how the query is written; its destination is ignored.
    ///   - rest: the encoder of the others.
    public init(
        queryKeys: Set<String>, query: URLParameterEncoder = .query,
        rest: any ParameterEncoding = JSONParameterEncoder()
    ) {
        self.queryKeys = queryKeys
        self.query = query
        self.query.destination = .query
        self.rest = rest
    }

    public func encode(_ parameters: Parameters, into request: inout HTTPRequest) throws {
        var forQuery = Parameters()
        var forRest = Parameters()
        for key in parameters.keysAsGiven {
            if queryKeys.contains(key) { forQuery[key] = parameters[key] } else { forRest[key] = parameters[key] }
        }
        try query.encode(forQuery, into: &request)
        try rest.encode(forRest, into: &request)
    }
}
