/// A ready ``RequestProtocol``: `APIRequest(path: "posts", httpTask: .requestParameters(url: ["userId": 1]))`.
public struct APIRequest: RequestProtocol, Hashable {
    public var path: String
    public var httpMethod: HTTPMethod
    public var httpTask: HTTPTask
    public var headers: HTTPHeaders
    public var isAuthenticationNeeded: Bool
    public var cachePolicy: CachePolicy?
    public var timeouts: Timeouts?

    /// Makes a request; what is left out has the default of ``RequestProtocol``.
    public init(
        path: String, httpMethod: HTTPMethod = .get, httpTask: HTTPTask = .request, headers: HTTPHeaders = [:],
        isAuthenticationNeeded: Bool = true, cachePolicy: CachePolicy? = nil, timeouts: Timeouts? = nil
    ) {
        self.path = path
        self.httpMethod = httpMethod
        self.httpTask = httpTask
        self.headers = headers
        self.isAuthenticationNeeded = isAuthenticationNeeded
        self.cachePolicy = cachePolicy
        self.timeouts = timeouts
    }

    /// The same request as a plain value, whatever type describes it.
    public init(copying request: any RequestProtocol) {
        self.init(
            path: request.path, httpMethod: request.httpMethod, httpTask: request.httpTask, headers: request.headers,
            isAuthenticationNeeded: request.isAuthenticationNeeded, cachePolicy: request.cachePolicy,
            timeouts: request.timeouts)
    }
}
