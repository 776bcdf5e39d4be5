import Foundation

/// Anything a session can make a request of: an ``Endpoint``, a finished ``HTTPRequest``, a `URL`, a `String` or a
/// `URLRequest`.
public protocol RequestConvertible: Sendable {
    /// The request on its way to the session. Called once for each call, off any lock.
    ///
    /// - Throws: ``HTTPError/invalidRequest(_:)`` when there is no such request; nothing is sent then.
    func makeRequest() throws(HTTPError) -> HTTPRequest
}

extension HTTPRequest: RequestConvertible {
    /// The request itself.
    public func makeRequest() throws(HTTPError) -> HTTPRequest { self }
}

extension URL: RequestConvertible {
    /// A GET of the URL.
    public func makeRequest() throws(HTTPError) -> HTTPRequest {
        try HTTPRequest.validate(url: self)
        return HTTPRequest(url: absoluteURL)
    }
}

extension String: RequestConvertible {
    /// A GET of the text as an absolute URL; see ``URLBuilder/url(_:)``.
    public func makeRequest() throws(HTTPError) -> HTTPRequest {
        let url = try URLBuilder.url(self)
        try HTTPRequest.validate(url: url)
        return HTTPRequest(url: url)
    }
}

extension URLRequest: RequestConvertible {
    /// The same method, URL, header fields and body. A `timeoutInterval` other than Foundation's 60 s becomes
    /// ``Timeouts/idle``, which is what it means there. The cache policy and other settings of the loading system are not
    /// taken over; framing fields are left to the transport.
    ///
    /// - Throws: ``HTTPError/invalidRequest(_:)`` when there is no URL, or the body is an `InputStream`, which can't be
    ///   read again.
    public func makeRequest() throws(HTTPError) -> HTTPRequest {
        guard let url else { throw .invalidRequest(.url("", reason: "the URLRequest has no URL")) }
        guard httpBodyStream == nil || httpBody != nil else {
            throw .invalidRequest(
                .body(reason: "an InputStream can't be read again; use httpBody or RequestBody.stream"))
        }
        let fields = (allHTTPHeaderFields ?? [:]).sorted { UTF8Order.precedes($0.key, $1.key) }
            .filter { !HTTPHeaders.isFraming($0.key) }
        var request = HTTPRequest(
            method: HTTPMethod(rawValue: httpMethod ?? "GET"), url: url.absoluteURL,
            headers: HTTPHeaders(fields.map { HTTPHeaders.Field($0.key, $0.value) }),
            body: httpBody.map { RequestBody.data($0) })
        try HTTPRequest.validate(url: request.url)
        if timeoutInterval != 60, timeoutInterval.isFinite, timeoutInterval > 0 {
            request.options.timeouts = Timeouts(idle: .seconds(timeoutInterval))
        }
        return request
    }
}
