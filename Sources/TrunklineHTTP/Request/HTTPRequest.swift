import Foundation

/// One request as it goes on the wire: an immutable value once it is handed to a session, resolved and complete.
///
/// Callers usually describe what they want with an ``Endpoint`` and let the session resolve it; stages and transports
/// see this type.
public struct HTTPRequest: Sendable {
    /// The method.
    public var method: HTTPMethod
    /// The absolute `http` or `https` URL.
    public var url: URL
    /// The header fields. Framing fields (`Content-Length`, `Transfer-Encoding`) belong to the transport.
    public var headers: HTTPHeaders
    /// The content, or nil for none.
    public var body: RequestBody?
    /// What the pipeline should do with it: limits, policies, tags.
    public var options: RequestOptions

    /// Makes a request from its parts.
    public init(
        method: HTTPMethod = .get, url: URL, headers: HTTPHeaders = [:], body: RequestBody? = nil,
        options: RequestOptions = RequestOptions()
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.options = options
    }
}

extension HTTPRequest {
    /// Checks everything a transport relies on: the method and field names are tokens, values hold no CR, LF or NUL,
    /// framing is left to the transport, and the URL is absolute with a scheme the library speaks.
    ///
    /// Runs on the final request, after every interceptor, so no source of headers escapes it.
    public func validate() throws(HTTPError) {
        guard method.isValid else { throw .invalidRequest(.method(method.rawValue)) }
        try headers.validate()
        try HTTPRequest.validate(url: url)
    }

    static func validate(url: URL) throws(HTTPError) {
        guard let scheme = url.scheme?.lowercased() else {
            throw .invalidRequest(.url(url.absoluteString, reason: "the URL is not absolute: it has no scheme"))
        }
        guard scheme == "https" || scheme == "http" else {
            throw .invalidRequest(.url(url.absoluteString, reason: "the scheme \"\(scheme)\" is not http or https"))
        }
        guard let host = url.host, !host.isEmpty else {
            throw .invalidRequest(.url(url.absoluteString, reason: "the URL has no host"))
        }
    }
}
