import Foundation

/// A ready ``APIRequestConfigure``: `NetworkRequestConfigure(url: "https://example.com/top.json")`.
public struct NetworkRequestConfigure: APIRequestConfigure, Hashable {
    public var url: String
    public var cachePolicy: CachePolicy?
    public var timeoutInterval: Duration?
    public var header: HTTPHeaders?
    public var httpBody: Data?
    public var httpMethod: HTTPMethod?

    /// Makes a description; what is left out has the default of ``APIRequestConfigure``.
    public init(
        url: String, cachePolicy: CachePolicy? = nil, timeoutInterval: Duration? = nil, header: HTTPHeaders? = nil,
        httpBody: Data? = nil, httpMethod: HTTPMethod? = nil
    ) {
        self.url = url
        self.cachePolicy = cachePolicy
        self.timeoutInterval = timeoutInterval
        self.header = header
        self.httpBody = httpBody
        self.httpMethod = httpMethod
    }
}
