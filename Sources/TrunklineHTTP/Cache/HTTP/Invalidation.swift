import Foundation

/// What a request that changes something makes invalid (RFC 9111, section 4.4).
enum Invalidation {
    /// The URLs whose entries must go: that of the request, and those in `Location` and `Content-Location` where they are
    /// of the same origin. None after a failure, and none for a safe method.
    static func urls(after response: HTTPResponse, to request: HTTPRequest) -> [URL] {
        guard !request.method.isSafe, (200..<400).contains(response.statusCode) else { return [] }
        return [request.url] + locations(of: response.headers, at: request.url)
    }

    private static func locations(of headers: HTTPHeaders, at base: URL) -> [URL] {
        ["Location", "Content-Location"].compactMap { name in
            guard let text = headers[name], let url = URL(string: text, relativeTo: base)?.absoluteURL,
                url != base, Origin(url) == Origin(base)
            else { return nil }
            return url
        }
    }

    /// Whether the answer to a POST is what GET would give (RFC 9110, section 9.3.3): its `Content-Location` is the
    /// request's URL and it says how long it is fresh.
    static func isRepresentation(_ response: HTTPResponse, of url: URL, now: Date) -> Bool {
        guard response.statusCode == 200, let text = response.headers["Content-Location"],
            let location = URL(string: text, relativeTo: url)?.absoluteURL,
            CacheTarget.bytes(of: location, ignoring: []) == CacheTarget.bytes(of: url, ignoring: [])
        else { return false }
        let freshness = Freshness(
            status: response.statusCode, headers: response.headers, requestedAt: now, arrivedAt: now)
        return !freshness.isHeuristic && freshness.lifetime > 0
    }
}
