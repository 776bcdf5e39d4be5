import Foundation

/// A request whose scheme may be `ws` or `wss`, which mean `http` and `https` (RFC 6455, section 3).
struct WebSocketRequest: RequestConvertible {
    let base: any RequestConvertible

    func makeRequest() throws(HTTPError) -> HTTPRequest {
        switch base {
        case let text as String: return try WebSocketRequest.webText(text).makeRequest()
        case let url as URL: return try WebSocketRequest.web(url).makeRequest()
        case var endpoint as Endpoint:
            endpoint.url = WebSocketRequest.webText(endpoint.url)
            endpoint.base = try endpoint.base.map { url throws(HTTPError) in try WebSocketRequest.web(url) }
            return try endpoint.makeRequest()
        case var request as URLRequest:
            request.url = try request.url.map { url throws(HTTPError) in try WebSocketRequest.web(url) }
            return try request.makeRequest()
        default:
            var request = try base.makeRequest()
            request.url = try WebSocketRequest.web(request.url)
            return request
        }
    }

    static func webText(_ text: String) -> String {
        let start = text.prefix(6).lowercased()
        if start.hasPrefix("ws://") { return "http" + text.dropFirst(2) }
        if start == "wss://" { return "https" + text.dropFirst(3) }
        return text
    }

    static func web(_ url: URL) throws(HTTPError) -> URL {
        let text = url.absoluteString
        let web = webText(text)
        if web == text { return url }
        guard let url = URL(string: web) else {
            throw .invalidRequest(.url(text, reason: "it can't be parsed as a URL"))
        }
        return url
    }
}
