import Foundation

/// The answer to a load: the session's response, and what the manager knows about it.
public struct APIResponse: Sendable {
    /// The load it answers.
    public let requestID: RequestID
    /// The session's response.
    public let http: HTTPResponse
    /// The parameters of the request, the service's included.
    public let parameters: Parameters
    /// The parsed content, or nil when it is not JSON or was not asked for (``APIResponseContent/any``).
    public let json: JSONValue?

    /// Makes an answer; managers do it, and tests of validators and services.
    public init(requestID: RequestID, http: HTTPResponse, parameters: Parameters = [:], json: JSONValue? = nil) {
        self.requestID = requestID
        self.http = http
        self.parameters = parameters
        self.json = json
    }

    /// The content as it arrived.
    public var data: Data { http.data }
    /// The file in its place, of a ``DownloadAPIManager``; nil where the content is in memory.
    public var fileURL: URL? {
        if case .file(let url) = http.body { url } else { nil }
    }
    /// The status code.
    public var statusCode: Int { http.statusCode }
    /// The header fields.
    public var headers: HTTPHeaders { http.headers }
    /// The request that was answered.
    public var request: HTTPRequest { http.request }
    /// The content as text, or nil when it is none.
    public var string: String? { try? http.string() }
    /// Whether it came from the cache, and the server had no say in it (`HTTPResponse.source` has the details).
    public var isCache: Bool { http.source.isCache }
}
