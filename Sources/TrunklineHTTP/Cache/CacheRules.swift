import Foundation

/// What may be stored and what may be answered from the store, as pure functions of the messages.
public enum CacheRules {
    /// How the cache sees a request.
    public enum Eligibility: Hashable, Sendable {
        /// It may be answered from the cache and its answer stored.
        case cacheable
        /// It only reads, and the cache can't name its answer: a method that is not known to the cache, a body that can be
        /// read only once.
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
        switch request.body?.source {
        case nil, .data: return .cacheable
        case .file, .stream: return hasExplicitKey ? .cacheable : .uncacheable
        }
    }

    /// Whether the answer may be stored under one of the policies that go by the caller's word
    /// (``CachePolicy/cacheFirst(maxAge:)`` and the like).
    ///
    /// It must be a whole 2xx answer of the server to a cacheable request that asks for the whole, without `Vary: *` (RFC
    /// 9111, section 4.1). Never a 206, and never an event stream, which has no end. Without an explicit key, `no-store` of
    /// either side is kept (sections 5.2.1.5 and 5.2.2.5), and an answer to a request that carried credentials is not stored
    /// in a partition without a user unless the cache saw the credentials itself and made them part of the key.
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
            !isPartialOrConditional(request.headers), isOfServer(response),
            response.isSuccess, response.statusCode != 206,
            !isEventStream(response), isSelectable(request, response)
        else { return false }
        if hasExplicitKey { return true }
        return !CacheControl(request.headers).noStore && !CacheControl(response.headers).noStore
            && !mixesUsers(request, response, partition)
    }

    /// Whether the answer may be stored under one of the policies that follow the server (RFC 9111, section 3). Parameters
    /// as in ``isStorable(request:response:partition:hasExplicitKey:)``.
    public static func isStorableByHTTP(
        request: HTTPRequest, response: HTTPResponse, partition: CachePartition = .shared, hasExplicitKey: Bool = false
    ) -> Bool {
        // The method is understood: GET, or one whose answer the caller named. HEAD has no content to store.
        guard request.method != .head, eligibility(of: request, hasExplicitKey: hasExplicitKey) == .cacheable,
            isOfServer(response), !isEventStream(response), !mixesUsers(request, response, partition),
            // What a redirect led to is the answer of the other URL, and the redirect may lead elsewhere tomorrow.
            response.url == request.url
        else { return false }
        // The status is final and, where asked for, understood; a 206 says where it belongs (section 3.3), a 304 has no
        // content.
        let control = CacheControl(response.headers)
        let status = response.statusCode
        switch status {
        case 206:
            guard request.headers.contains("Range"), ContentRange(of: response.headers) != nil,
                RequestDirectives.of(request.headers).range != nil
            else { return false }
        case 304: return false
        case 200...599:
            if control.mustUnderstand, !StatusCodes.isUnderstood(status) { return false }
        default: return false
        }
        // Section 5.2.2.3: who understands the status passes over `no-store` beside `must-understand`.
        if control.noStore, !control.mustUnderstand { return false }
        if CacheControl(request.headers).noStore { return false }
        guard isSelectable(request, response) else { return false }
        return control.maxAge != nil || control.isPublic || control.isPrivate || response.headers.contains("Expires")
            || StatusCodes.isHeuristicallyCacheable(status)
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
        guard !VariantMarker.isMarker(entry) else { return false }
        guard entry.headers.contains("Vary") else { return true }
        let names = SelectedFields.names(entry.headers)
        guard !names.contains("*") else { return false }
        var stored = entry.requestHeaders
        // Of a part, the range that was asked for is kept too.
        if entry.statusCode == 206, !names.contains("range") { stored.remove("Range") }
        return SelectedFields.of(request.headers, names: names) == stored
    }

    /// The request's lines that `Vary` of the answer names, normalised; the values of credentials as a digest.
    static func selectedHeaders(of request: HTTPRequest, by headers: HTTPHeaders) -> HTTPHeaders {
        SelectedFields.of(request.headers, names: SelectedFields.names(headers))
    }

    /// Whether the entry is a whole 2xx answer: what the policies that go by the caller's word use.
    static func isWhole(_ entry: CachedResponse) -> Bool {
        (200...299).contains(entry.statusCode) && entry.statusCode != 206
    }

    static func isPartialOrConditional(_ headers: HTTPHeaders) -> Bool {
        headers.contains { line in
            conditionalNames.contains { HTTPHeaders.equal($0, line.name) }
        }
    }

    private static let conditionalNames = [
        "Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since",
    ]

    private static func isOfServer(_ response: HTTPResponse) -> Bool {
        if case .network = response.source { true } else { false }
    }

    private static func isEventStream(_ response: HTTPResponse) -> Bool {
        guard let type = response.headers.contentType else { return false }
        return MediaType(type)?.essence == "text/event-stream"
    }

    /// Whether the cache can tell which requests the answer is for (section 4.1): `Vary: *` says that nobody can, and fields
    /// that were put in below the cache, cookies say, are not known when the next request comes. The credential is an
    /// exception: whose answer it is the partition tells.
    private static func isSelectable(_ request: HTTPRequest, _ response: HTTPResponse) -> Bool {
        SelectedFields.names(response.headers).allSatisfy { name in
            name != "*"
                && (name == "authorization"
                    || request.headers.values(for: name) == response.request.headers.values(for: name))
        }
    }

    /// Whether the answer may be another user's: in a partition of nobody, to a request that got credentials below the cache.
    private static func mixesUsers(
        _ request: HTTPRequest, _ response: HTTPResponse, _ partition: CachePartition
    ) -> Bool {
        partition.user == nil && gainedCredentials(from: request, to: response.request)
    }

    private static func gainedCredentials(from seen: HTTPRequest, to sent: HTTPRequest) -> Bool {
        if sent.options.credentialFields != nil { return true }
        return ["Authorization", "Cookie"].contains { name in
            sent.headers.contains(name) && sent.headers.values(for: name) != seen.headers.values(for: name)
        }
    }
}
