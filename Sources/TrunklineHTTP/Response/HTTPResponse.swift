import Foundation

/// A response: status, header fields, content, and where it came from.
///
/// A value of one pointer: it passes through every stage and lies in every ``HTTPError`` that has a response.
public struct HTTPResponse: Sendable {
    private struct Parts: Sendable {
        var request: HTTPRequest
        var statusCode: Int
        var headers: HTTPHeaders
        var body: ResponseBody
        var trailers: HTTPHeaders
        var source: ResponseSource
        var metrics: TransportMetrics?
        var lateTrailers: StreamTrailers?
        var cacheStatus: CacheStatus?
    }

    private var parts: Box<Parts>

    /// Makes a response from its parts.
    public init(
        request: HTTPRequest, statusCode: Int, headers: HTTPHeaders = [:], body: ResponseBody = .data(Data()),
        trailers: HTTPHeaders = [:], source: ResponseSource = .network, metrics: TransportMetrics? = nil
    ) {
        parts = Box(
            Parts(
                request: request, statusCode: statusCode, headers: headers, body: body, trailers: trailers,
                source: source, metrics: metrics))
    }

    private mutating func edit(_ edit: (inout Parts) -> Void) {
        var parts = parts.value
        edit(&parts)
        self.parts = Box(parts)
    }

    /// The request that was answered, after interceptors and redirects.
    public var request: HTTPRequest {
        get { parts.value.request }
        set { edit { $0.request = newValue } }
    }

    /// The status code, 100 to 599 on a well-behaved server; the library accepts any three digits.
    public var statusCode: Int {
        get { parts.value.statusCode }
        set { edit { $0.statusCode = newValue } }
    }

    /// Whether the status is one of success, 200 to 299.
    package var isSuccess: Bool { (200..<300).contains(statusCode) }

    /// The header fields, repeated ones kept apart.
    public var headers: HTTPHeaders {
        get { parts.value.headers }
        set { edit { $0.headers = newValue } }
    }

    /// The content.
    public var body: ResponseBody {
        get { parts.value.body }
        set { edit { $0.body = newValue } }
    }

    /// The trailer fields of a chunked or HTTP/2 response, where the transport can see them.
    public var trailers: HTTPHeaders {
        get { parts.value.trailers }
        set { edit { $0.trailers = newValue } }
    }

    /// Where the trailer fields of a streamed response will be at its end.
    package var lateTrailers: StreamTrailers? {
        get { parts.value.lateTrailers }
        set { edit { $0.lateTrailers = newValue } }
    }

    /// Where the response came from.
    public var source: ResponseSource {
        get { parts.value.source }
        set { edit { $0.source = newValue } }
    }

    /// What the cache did (RFC 9211); nil where the request's policy is ``CachePolicy/networkOnly``.
    public var cacheStatus: CacheStatus? {
        get { parts.value.cacheStatus }
        set { edit { $0.cacheStatus = newValue } }
    }

    /// Timings and sizes, where the transport measures them.
    public var metrics: TransportMetrics? {
        get { parts.value.metrics }
        set { edit { $0.metrics = newValue } }
    }

    /// Adds to the metrics, which a transport that measures nothing has left out.
    mutating func editMetrics(_ change: (inout TransportMetrics) -> Void) {
        var metrics = metrics ?? TransportMetrics()
        change(&metrics)
        self.metrics = metrics
    }

    /// Sets what the cache did, where the response came from and its `Age`, in one go.
    mutating func mark(_ status: CacheStatus, source: ResponseSource, age: String? = nil) {
        edit { parts in
            parts.cacheStatus = status
            parts.source = source
            if let age { parts.headers.set("Age", age) }
        }
    }

    /// The URL that answered, after redirects.
    public var url: URL { request.url }

    /// The content where it is in memory; empty for a file or a stream.
    public var data: Data {
        if case .data(let data) = body { data } else { Data() }
    }
}
