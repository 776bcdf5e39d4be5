/// Writes parameters into a request: its query, its body, or both.
///
/// The library's encoders are values behind static members (`.automatic`, `.query`, `.form`, `.json`, `.text(_:)`,
/// `.queryAndJSON(queryKeys:)`); an app adds its own by conforming. An encoder
///
/// - changes nothing when there is nothing to write (RFC 3986, section 3.4: an empty query is not no query);
/// - announces its media type on the body (``RequestBody/contentType``), which any `Content-Type` header of the session,
///   service, endpoint or an interceptor overrides;
/// - throws rather than send something else than it was given. An ``HTTPError`` reaches the caller as it is, any other
///   error as ``HTTPError/custom(_:)``.
public protocol ParameterEncoding: Sendable {
    /// Writes the parameters into the request.
    func encode(_ parameters: Parameters, into request: inout HTTPRequest) throws
}

extension ParameterEncoding where Self == URLParameterEncoder {
    /// Into the query for GET, HEAD and DELETE and for a request that has a body already; else a URL-encoded form body.
    public static var automatic: URLParameterEncoder { URLParameterEncoder() }

    /// Into the query, whatever the method.
    public static var query: URLParameterEncoder { URLParameterEncoder(destination: .query) }

    /// Into a body of type `application/x-www-form-urlencoded`, whatever the method.
    public static var form: URLParameterEncoder { URLParameterEncoder(destination: .body) }
}

extension ParameterEncoding where Self == JSONParameterEncoder {
    /// Into a body of type `application/json`.
    public static var json: JSONParameterEncoder { JSONParameterEncoder() }
}

extension ParameterEncoding where Self == SplitParameterEncoder {
    /// The named parameters into the query, the others into a JSON body.
    public static func queryAndJSON(queryKeys: Set<String>) -> SplitParameterEncoder {
        SplitParameterEncoder(queryKeys: queryKeys, rest: JSONParameterEncoder())
    }

    /// The named parameters into the query, the others to another encoder.
    public static func split(queryKeys: Set<String>, rest: any ParameterEncoding) -> SplitParameterEncoder {
        SplitParameterEncoder(queryKeys: queryKeys, rest: rest)
    }
}

extension ParameterEncoding where Self == TextParameterEncoder {
    /// The parameter `key` as a body of type `text/plain`, the others into the query.
    public static func text(_ key: String) -> TextParameterEncoder { TextParameterEncoder(key: key) }
}

extension HTTPRequest {
    /// Gives the request the body an encoder made.
    mutating func setEncodedBody(_ body: RequestBody) throws(HTTPError) {
        guard self.body == nil else {
            throw .invalidRequest(
                .body(reason: "the request has a body already; send the parameters in the query or without that body"))
        }
        self.body = body
    }
}
