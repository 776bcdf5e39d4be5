/// Makes a request on demand: a router's address, then a builder's changes.
///
/// ```swift
/// RequestFactory(router: FilmRouter.list, requestBuilder: .addURLParams(["page": 1]))
/// ```
public struct RequestFactory: RequestConvertible {
    /// Where the request goes.
    public var router: any Router
    /// What is changed of the router's request.
    public var requestBuilder: RequestBuilder

    /// Makes a factory.
    ///
    /// - Parameters:
    ///   - router: where the request goes.
    ///   - requestBuilder: what is changed; by default nothing.
    public init(router: any Router, requestBuilder: RequestBuilder = .identity) {
        self.router = router
        self.requestBuilder = requestBuilder
    }

    /// The request, made anew at each call.
    public func makeRequest() throws(HTTPError) -> HTTPRequest { try requestBuilder(router.makeRequest()) }
}
