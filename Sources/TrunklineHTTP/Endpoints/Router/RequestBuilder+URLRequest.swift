import Foundation

extension RequestBuilder {
    /// Sets a property of `URLRequest`, for code that thinks in them: `.setURLRequest(to: \.timeoutInterval, 5)`.
    ///
    /// The URL, method, header fields, body in memory, timeout and cache policy are carried over; nothing else of the
    /// request changes.
    ///
    /// - Throws, when the request is made: ``HTTPError/unsupported(feature:platform:)`` for a property the library's
    ///   requests don't have, ``HTTPError/invalidRequest(_:)`` for an `InputStream`, which can't be read again.
    public static func setURLRequest<Value: Sendable>(
        to keyPath: WritableKeyPath<URLRequest, Value> & Sendable, _ value: Value
    ) -> RequestBuilder {
        RequestBuilder { request in
            let before = request.foundationRequest
            var after = before
            after[keyPath: keyPath] = value
            return try request.adopting(after, changedFrom: before)
        }
    }
}

extension HTTPRequest {
    /// This request with what has changed between the two.
    fileprivate func adopting(_ after: URLRequest, changedFrom before: URLRequest) throws(HTTPError) -> HTTPRequest {
        let taken = try after.makeRequest()
        var result = self
        result.method = taken.method
        result.url = taken.url
        if after.allHTTPHeaderFields != before.allHTTPHeaderFields { result.headers = taken.headers }
        if after.httpBody != before.httpBody { result.body = taken.body }
        if after.timeoutInterval != before.timeoutInterval {
            var timeouts = result.options.timeouts ?? Timeouts()
            timeouts.idle = taken.options.timeouts?.idle ?? timeouts.idle
            result.options.timeouts = timeouts
        }
        if after.cachePolicy != before.cachePolicy { result.options.cache = CachePolicy(after.cachePolicy) }
        if after != before, result.isSame(as: self) {
            throw .unsupported(feature: "This property of URLRequest", platform: "Trunkline's pipeline")
        }
        return result
    }

    private func isSame(as other: HTTPRequest) -> Bool {
        method == other.method && url == other.url && headers == other.headers && body?.data == other.body?.data
            && options.timeouts == other.options.timeouts && options.cache == other.options.cache
    }
}
