import Foundation

/// Where the `URLSession` of the platforms differs.
enum URLSessionPlatform {
    /// A week: the longest limit every platform's timer takes.
    static let noTimeout: TimeInterval = 604_800

    /// A copy that keeps nothing between requests.
    static func isolated(_ configuration: URLSessionConfiguration) -> URLSessionConfiguration {
        let copy = configuration.copy() as? URLSessionConfiguration ?? .ephemeral
        copy.urlCache = nil
        copy.urlCredentialStorage = nil
        copy.httpCookieStorage = nil
        copy.httpShouldSetCookies = false
        copy.requestCachePolicy = .reloadIgnoringLocalCacheData
        return copy
    }

    static var capabilities: TransportCapabilities {
        #if canImport(FoundationNetworking)
            TransportCapabilities(name: "URLSession", contentEncodings: ["gzip", "deflate"])
        #else
            TransportCapabilities(
                name: "URLSession", tlsLibrary: "Secure Transport", contentEncodings: ["gzip", "deflate", "br"],
                features: [.http2, .webSockets])
        #endif
    }

    /// Refuses what the platform would get wrong in silence.
    static func checkSupport(_ request: HTTPRequest) throws(HTTPError) {
        #if canImport(FoundationNetworking)
            if request.url.host?.contains(":") == true {
                throw .unsupported(feature: "An IPv6 literal in a URL", platform: "URLSession on Linux")
            }
        #endif
    }

    /// The longest a completion-handler task may take where the request sets no limit on the whole: nil where such a task
    /// always ends by itself. On Linux one that meets a Basic challenge never does, and its idle timer doesn't fire.
    static func backstop(idle: Duration?) -> Duration? {
        #if canImport(FoundationNetworking)
            (idle ?? .seconds(60)) * 10
        #else
            nil
        #endif
    }

    /// Server trust is the system's to judge; any other challenge is refused, so that its response is the answer.
    static func disposition(for challenge: URLAuthenticationChallenge) -> URLSession.AuthChallengeDisposition {
        #if canImport(FoundationNetworking)
            // "Default handling" of a 401 never completes here; cancelling keeps what has arrived.
            .cancelAuthenticationChallenge
        #else
            .performDefaultHandling
        #endif
    }

    /// The header fields, sorted by name: the platform keeps them in a dictionary.
    static func headers(of response: HTTPURLResponse) -> HTTPHeaders {
        var fields: [HTTPHeaders.Field] = []
        for (name, value) in response.allHeaderFields {
            guard let name = name as? String, let value = value as? String else { continue }
            if HTTPHeaders.equal(name, "Set-Cookie") {
                fields += SetCookieLines.split(value).map { HTTPHeaders.Field(name, $0) }
            } else {
                fields.append(HTTPHeaders.Field(name, value))
            }
        }
        return HTTPHeaders(fields.sorted { $0.name < $1.name })
    }
}
