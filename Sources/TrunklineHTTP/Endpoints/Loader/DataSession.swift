import Foundation

/// What an ``APIRequestLoader`` gets its data from: a ``SessionManager``, a `URLSession`, or a stand-in of a few lines in
/// a test.
public protocol DataSession: Sendable {
    /// Gets the answer to a request.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - completion: called with the answer, whatever its status, or the error, on any thread. The loader takes the first
    ///     call and no other.
    /// - Returns: what cancels the request.
    @discardableResult
    func getData(
        with request: HTTPRequest, completion: @escaping @Sendable (Result<HTTPResponse, HTTPError>) -> Void
    ) -> RequestHandle
}

extension DataSession {
    /// Gets the answer to a GET of the URL; see ``getData(with:completion:)-(HTTPRequest,_)``.
    @discardableResult
    public func getData(
        with url: URL, completion: @escaping @Sendable (Result<HTTPResponse, HTTPError>) -> Void
    ) -> RequestHandle {
        getData(with: HTTPRequest(url: url), completion: completion)
    }
}

extension SessionManager: DataSession {
    /// Sends the request through the pipeline. The status is not judged unless the request brings a validation.
    @discardableResult
    public func getData(
        with request: HTTPRequest, completion: @escaping @Sendable (Result<HTTPResponse, HTTPError>) -> Void
    ) -> RequestHandle {
        var request = request
        if request.options.validation == nil { request.options.validation = .acceptAny }
        return RequestHandle(self.request(request).resume().onResponse(on: .global(), completion))
    }
}
