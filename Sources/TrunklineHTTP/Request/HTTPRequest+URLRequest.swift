import Foundation

extension HTTPRequest {
    /// The request for code that takes Foundation's: the same method, URL, header fields and content. The idle limit
    /// becomes `timeoutInterval`, the cache policy the nearest one Foundation has.
    ///
    /// - Throws: ``HTTPError/invalidRequest(_:)`` for a request that can't be sent (Foundation would drop or repair parts of
    ///   it), and for a body that is not in memory.
    public func urlRequest() throws(HTTPError) -> URLRequest {
        var checked = self
        checked.applyBodyContentType()
        try checked.validate()
        guard body == nil || body?.data != nil else {
            throw .invalidRequest(.body(reason: "a URLRequest can carry only a body in memory; use RequestBody.data"))
        }
        return checked.foundationRequest
    }

    /// The same, unchecked, without a body that is not in memory.
    var foundationRequest: URLRequest {
        var request = URLRequest(url: url)
        request.httpMethod = method.rawValue
        for field in headers { request.addValue(field.value, forHTTPHeaderField: field.name) }
        request.httpBody = body?.data
        if let idle = options.timeouts?.idle { request.timeoutInterval = idle.seconds }
        if let policy = options.cache { request.cachePolicy = policy.foundationPolicy }
        return request
    }
}

extension CachePolicy {
    /// The policy that does what Foundation's says; nil, the session's own, for `useProtocolCachePolicy`.
    public init?(_ policy: URLRequest.CachePolicy) {
        switch policy {
        case .useProtocolCachePolicy: return nil
        case .returnCacheDataElseLoad: self = .cacheFirst(maxAge: .seconds(3_153_600_000))  // a century: any age
        case .returnCacheDataDontLoad: self = .cacheOnly
        default: self = .reload
        }
    }

    /// The nearest policy Foundation has.
    var foundationPolicy: URLRequest.CachePolicy {
        switch self {
        case .networkOnly, .reload: .reloadIgnoringLocalCacheData
        case .cacheFirst, .networkFirst, .standard, .staleWhileRevalidate, .staleIfError, .cacheThenNetwork:
            .useProtocolCachePolicy
        case .revalidate: .reloadRevalidatingCacheData
        case .cacheOnly: .returnCacheDataDontLoad
        }
    }
}
