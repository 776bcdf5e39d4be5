import Foundation

/// What may be stored and what may be answered from the store, as pure functions of the messages.
public enum CacheRules {
    /// How the cache sees a request.
    public enum Eligibility: Hashable, Sendable {
        /// It may be answered from the cache and its answer stored.
        case cacheable
        /// It only reads, and the cache can't hold its answer: partial or conditional requests, bodies that go to a file
        /// or a stream.
        case uncacheable
        /// It changes something: it always goes to the server.
        case mutation
    }

    /// How the cache sees the request.
    ///
    /// GET and HEAD are cacheable. POST and QUERY are when the caller gave an explicit key and so said that the request
    /// only reads. PUT, PATCH, DELETE and unknown methods never are.
    public static func eligibility(of request: HTTPRequest, hasExplicitKey: Bool = false) -> Eligibility {
        switch request.method {
        case .get, .head: break
        case .post: if !hasExplicitKey { return .mutation }
        case .query: if !hasExplicitKey { return .uncacheable }
        case .options, .trace: return .uncacheable
        default: return .mutation
        }
        guard request.options.delivery == .data, !isPartialOrConditional(request.headers) else { return .uncacheable }
        switch request.body?.source {
        case nil, .data: return .cacheable
        case .file, .stream: return hasExplicitKey ? .cacheable : .uncacheable
        }
    }

    /// Whether the answer may be stored.
    ///
    /// It must be a whole 2xx answer of the server to a cacheable request, its body in memory, without `Vary: *` (RFC
    /// 9111, section 4.1). Never a 206. Without an explicit key, `no-store` of either side is kept (sections 5.2.1.5
    /// and 5.2.2.5), and an answer to a request that carried credentials is not stored in a partition without a user
    /// unless the cache saw the credentials itself and made them part of the key.
    ///
    /// - Parameters:
    ///   - request: the request as the cache saw it.
    ///   - response: the answer; its request is the one that went to the server.
    ///   - partition: where it would be stored.
    ///   - hasExplicitKey: whether the caller gave the key and so takes the decision.
    public static func isStorable(
        request: HTTPRequest, response: HTTPResponse, partition: CachePartition = .shared, hasExplicitKey: Bool = false
    ) -> Bool {
        guard eligibility(of: request, hasExplicitKey: hasExplicitKey) == .cacheable,
            case .data = response.body, case .network = response.source,
            (200...299).contains(response.statusCode), response.statusCode != 206,
            !response.headers.contains("Content-Range"), !varyNames(response.headers).contains("*")
        else { return false }
        if hasExplicitKey { return true }
        return !hasNoStore(request.headers) && !hasNoStore(response.headers)
            && (partition.user != nil || !gainedCredentials(from: request, to: response.request))
    }

    /// Whether an answer that is not stored makes an older entry wrong: a whole new answer that must not be kept, or word
    /// that the resource is gone (RFC 9110, sections 15.5.5 and 15.5.11).
    static func supersedes(_ response: HTTPResponse) -> Bool {
        switch response.statusCode {
        case 206: false
        case 200...299, 404, 410: true
        default: false
        }
    }

    /// Whether the entry answers the request, as far as the entry's `Vary` goes (RFC 9111, section 4.1).
    public static func matches(_ entry: CachedResponse, _ request: HTTPRequest) -> Bool {
        entry.requestHeaders.isEmpty && !entry.headers.contains("Vary")
            || selectedHeaders(of: request, by: entry.headers) == entry.requestHeaders
    }

    /// The request's lines that `Vary` of the answer names, by name. The values of credentials are replaced by a digest,
    /// since they would be written to disk.
    static func selectedHeaders(of request: HTTPRequest, by headers: HTTPHeaders) -> HTTPHeaders {
        var selected = HTTPHeaders()
        for name in varyNames(headers).sorted() {
            for value in request.headers.values(for: name) {
                selected.add(name, isSecret(name) ? SHA256Digest.hex(of: Array(value.utf8)) : value)
            }
        }
        return selected
    }

    private static func varyNames(_ headers: HTTPHeaders) -> Set<String> {
        guard let vary = headers["Vary"] else { return [] }
        return Set(list(vary))
    }

    private static func list(_ value: String) -> [String] {
        value.split(separator: ",").compactMap { part in
            let word = part.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed()
            return word.isEmpty ? nil : String(word).lowercased()
        }
    }

    private static func isPartialOrConditional(_ headers: HTTPHeaders) -> Bool {
        headers.contains { line in
            conditionalNames.contains { HTTPHeaders.equal($0, line.name) }
        }
    }

    private static let conditionalNames = [
        "Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since",
    ]

    private static func hasNoStore(_ headers: HTTPHeaders) -> Bool {
        headers["Cache-Control"].map { list($0).contains("no-store") } ?? false
    }

    private static func isSecret(_ name: String) -> Bool {
        name == "authorization" || name == "proxy-authorization" || name == "cookie"
    }

    private static func gainedCredentials(from seen: HTTPRequest, to sent: HTTPRequest) -> Bool {
        if sent.options.credentialFields != nil { return true }
        return ["Authorization", "Cookie"].contains { name in
            sent.headers.contains(name) && sent.headers.values(for: name) != seen.headers.values(for: name)
        }
    }
}
