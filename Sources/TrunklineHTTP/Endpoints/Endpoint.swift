import Foundation

/// What a caller wants, as a value: method, URL, parameters and how they are written. A session, service or client
/// resolves it into an ``HTTPRequest`` when it is sent.
///
/// ```swift
/// let book: Endpoint = .get("https://example.com/books/{id}", parameters: ["id": 42, "fields": ["title", "author"]])
/// ```
///
/// Placeholders in the path take their values from the parameters (see ``PathTemplate``); what is left over goes where
/// the encoding puts it.
public struct Endpoint: RequestConvertible {
    /// The method.
    public var method: HTTPMethod
    /// An absolute URL, or a path relative to ``base``; placeholders allowed in its path.
    public var url: String
    /// What ``url`` is relative to, or nil when it is absolute.
    public var base: URL?
    /// Whether an absolute ``url`` may stand in for the base, for links a server sends. Off by default: a path that turns
    /// out to be absolute is an error.
    public var allowsAbsoluteURL = false
    /// The parameters.
    public var parameters: Parameters
    /// How the parameters are written.
    public var encoding: any ParameterEncoding
    /// The header fields; they win over the session's and the service's.
    public var headers: HTTPHeaders
    /// A body of its own. The default encoding then writes the parameters into the query.
    public var body: RequestBody?
    /// Limits, policies and tags.
    public var options: RequestOptions

    /// Makes an endpoint.
    ///
    /// - Parameters:
    ///   - method: by default GET.
    ///   - url: an absolute URL, or a path when `base` is given.
    ///   - base: the URL a path is joined to by the rules of ``URLBuilder``.
    ///   - parameters: by default none.
    ///   - encoding: by default the query for GET, HEAD and DELETE, else a form.
    ///   - headers: by default none.
    ///   - body: by default none.
    ///   - options: by default the session's settings.
    public init(
        _ method: HTTPMethod = .get, _ url: String, base: URL? = nil, parameters: Parameters = [:],
        encoding: any ParameterEncoding = .automatic, headers: HTTPHeaders = [:], body: RequestBody? = nil,
        options: RequestOptions = RequestOptions()
    ) {
        self.method = method
        self.url = url
        self.base = base
        self.parameters = parameters
        self.encoding = encoding
        self.headers = headers
        self.body = body
        self.options = options
    }

    /// Fills the path, joins it to the base and writes the parameters.
    public func makeRequest() throws(HTTPError) -> HTTPRequest {
        var remaining = parameters
        let path = try PathTemplate(url).fill(from: &remaining)
        let target: URL
        if let base {
            target = try URLBuilder.join(base: base, path: path, allowsAbsolute: allowsAbsoluteURL)
        } else {
            target = try URLBuilder.url(path)
        }
        try HTTPRequest.validate(url: target)
        var request = HTTPRequest(method: method, url: target, headers: headers, body: body, options: options)
        do {
            try encoding.encode(remaining, into: &request)
        } catch {
            throw HTTPError(error)
        }
        return request
    }
}
