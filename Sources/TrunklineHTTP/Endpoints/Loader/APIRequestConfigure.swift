import Foundation

/// A request described by plain values, for an ``APIRequestLoader``: conform with a type of the app's, or use
/// ``NetworkRequestConfigure``. Everything but the URL has a default.
public protocol APIRequestConfigure: RequestConvertible {
    /// The absolute URL; what a URL may not hold is escaped (see ``URLBuilder``).
    var url: String { get }
    /// What the cache may do; by default what the session says.
    var cachePolicy: CachePolicy? { get }
    /// The longest silence; by default 10 s.
    var timeoutInterval: Duration? { get }
    /// Header fields; by default none.
    var header: HTTPHeaders? { get }
    /// The content; by default none.
    var httpBody: Data? { get }
    /// The method; by default GET.
    var httpMethod: HTTPMethod? { get }

    /// The request.
    ///
    /// - Throws: ``HTTPError/invalidRequest(_:)`` for a URL, method or header field that can't be sent, and for a body in a
    ///   GET or HEAD.
    func makeRequest() throws(HTTPError) -> HTTPRequest
}

extension APIRequestConfigure {
    public var cachePolicy: CachePolicy? { nil }
    public var timeoutInterval: Duration? { nil }
    public var header: HTTPHeaders? { nil }
    public var httpBody: Data? { nil }
    public var httpMethod: HTTPMethod? { nil }

    public func makeRequest() throws(HTTPError) -> HTTPRequest {
        var request = HTTPRequest(
            method: httpMethod ?? .get, url: try URLBuilder.url(url), headers: header ?? [:],
            body: httpBody.map { .data($0) })
        request.options.timeouts = Timeouts(idle: timeoutInterval ?? .seconds(10))
        request.options.cache = cachePolicy
        try request.validate()
        try request.refuseBodyOfSafeMethod()
        return request
    }
}
