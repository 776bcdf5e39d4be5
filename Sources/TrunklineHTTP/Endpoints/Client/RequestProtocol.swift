/// A request of a ``NetworkClient``, described by values: conform with an enum of an API's calls, or use
/// ``APIRequest``.
///
/// Everything but the path has a default.
public protocol RequestProtocol: Sendable {
    /// The path, relative to the client's base URL, with or without a query. A `{name}` in it takes its value from the
    /// task's `url` parameters (see ``PathTemplate``).
    var path: String { get }
    /// The method; by default GET.
    var httpMethod: HTTPMethod { get }
    /// The parameters and how they are written; by default none.
    var httpTask: HTTPTask { get }
    /// Header fields; they win over the client's and the token's. By default none.
    var headers: HTTPHeaders { get }
    /// Whether the client asks its ``NetworkClient/authTokenProvider`` for a token first; by default it does.
    var isAuthenticationNeeded: Bool { get }
    /// What the cache may do; by default what the session says.
    var cachePolicy: CachePolicy? { get }
    /// The time limits; by default the client's.
    var timeouts: Timeouts? { get }
}

extension RequestProtocol {
    public var httpMethod: HTTPMethod { .get }
    public var httpTask: HTTPTask { .request }
    public var headers: HTTPHeaders { [:] }
    public var isAuthenticationNeeded: Bool { true }
    public var cachePolicy: CachePolicy? { nil }
    public var timeouts: Timeouts? { nil }
}
