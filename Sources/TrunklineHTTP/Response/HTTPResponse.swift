import Foundation

/// A response: status, header fields, content, and where it came from.
public struct HTTPResponse: Sendable {
    /// The request that was answered, after interceptors and redirects.
    public var request: HTTPRequest
    /// The status code, 100 to 599 on a well-behaved server; the library accepts any three digits.
    public var statusCode: Int
    /// The header fields, repeated ones kept apart.
    public var headers: HTTPHeaders
    /// The content.
    public var body: ResponseBody
    /// The trailer fields of a chunked or HTTP/2 response, where the transport can see them.
    public var trailers: HTTPHeaders
    /// Where the response came from.
    public var source: ResponseSource
    /// Timings and sizes, where the transport measures them.
    public var metrics: TransportMetrics?

    /// Makes a response from its parts.
    public init(
        request: HTTPRequest, statusCode: Int, headers: HTTPHeaders = [:], body: ResponseBody = .data(Data()),
        trailers: HTTPHeaders = [:], source: ResponseSource = .network, metrics: TransportMetrics? = nil
    ) {
        self.request = request
        self.statusCode = statusCode
        self.headers = headers
        self.body = body
        self.trailers = trailers
        self.source = source
        self.metrics = metrics
    }

    /// The URL that answered, after redirects.
    public var url: URL { request.url }

    /// The content where it is in memory; empty for a file or a stream.
    public var data: Data {
        if case .data(let data) = body { data } else { Data() }
    }
}
