import Foundation

extension SessionManager {
    /// The stored answer, where there is one, and then the server's: to show the last data at once and the new data when they
    /// are there.
    ///
    /// ```swift
    /// for try await response in session.responses(for: .get(url)) {
    ///     show(try response.decode(Feed.self), isOld: response.source.isCache)
    /// }
    /// ```
    ///
    /// The sequence has one or two elements and then ends:
    ///
    /// 1. the stored answer, whatever its age, where the cache has a whole 2xx answer to the request;
    /// 2. the server's answer, which is stored. Where the server says that the stored one is still right, it is that one
    ///    once more, with the source ``ResponseSource/revalidated(age:)``.
    ///
    /// The server is asked at once, beside the look into the cache; its answer never comes first. A failure ends the sequence with
    /// an ``HTTPError``, after the first element where there was one. Who stops iterating cancels the requests.
    ///
    /// - Parameters:
    ///   - request: an ``Endpoint``, an ``HTTPRequest``, a `URL`, a `String` or a `URLRequest`. Its
    ///     ``RequestOptions/cache`` is of no account. A POST needs a ``RequestOptions/cacheKey``.
    ///   - interceptors: run for both, after the session's.
    public func responses(
        for request: some RequestConvertible, interceptors: [any Interceptor] = []
    ) -> AsyncThrowingStream<HTTPResponse, any Error> {
        let (stream, continuation) = AsyncThrowingStream<HTTPResponse, any Error>.makeStream()
        let resolved: HTTPRequest
        do {
            resolved = try resolve(request)
        } catch {
            continuation.finish(throwing: error)
            return stream
        }
        var stored = resolved
        stored.options.cache = .cacheThenNetwork
        stored.options.cacheTurn = .stored
        let look = self.request(stored, interceptors: interceptors).resume()
        var asked = resolved
        asked.options.cache = .cacheThenNetwork
        asked.options.cacheTurn = .server
        let ask = self.request(asked, interceptors: interceptors).resume()
        let task = Task {
            if let response = try? await look.response() { continuation.yield(response) }
            do {
                continuation.yield(try await ask.response())
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        continuation.onTermination = { termination in
            guard case .cancelled = termination else { return }
            task.cancel()
            look.cancel()
            ask.cancel()
        }
        return stream
    }
}
