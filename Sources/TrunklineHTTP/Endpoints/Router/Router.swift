import Foundation

/// The addresses of one domain of an API, usually an enum with one case each.
///
/// ```swift
/// enum FilmRouter: Router {
///     case list
///     case film(id: String)
///
///     var route: Route {
///         switch self {
///         case .list: Route(path: "films")
///         case .film(let id): Route(path: "films/\(id)")
///         }
///     }
/// }
/// ```
///
/// A router is a request already, `session.request(FilmRouter.list)`; a ``RequestFactory`` adds headers, parameters and a
/// body to it.
public protocol Router: RequestConvertible, CustomStringConvertible {
    /// The path and method of this address.
    var route: Route { get }
    /// Where ``baseURL`` comes from; by default ``NetworkConfiguration/shared``.
    var configuration: NetworkConfiguration { get }
    /// What the path is relative to; by default the configuration's, and an error while none is set.
    var baseURL: URL { get throws(HTTPError) }
    /// The whole URL; by default base URL and path, joined by the rules of ``URLBuilder``.
    var completeURL: URL { get throws(HTTPError) }
}

extension Router {
    public var configuration: NetworkConfiguration { .shared }

    public var baseURL: URL {
        get throws(HTTPError) { try configuration.baseURL() }
    }

    public var completeURL: URL {
        get throws(HTTPError) { try URLBuilder.join(base: try baseURL, path: try route.path.text()) }
    }

    /// The route's method.
    public var method: HTTPMethod { route.method }

    /// Path and method, for a log.
    public var description: String {
        let route = route
        return "path: \(route.path), method: \(route.method)"
    }

    /// A request of the complete URL with the route's method, nothing else.
    public func makeRequest() throws(HTTPError) -> HTTPRequest {
        HTTPRequest(method: method, url: try completeURL)
    }
}
