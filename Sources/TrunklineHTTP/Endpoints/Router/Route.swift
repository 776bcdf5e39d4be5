/// Where a router leads: a path and a method.
public struct Route: Hashable, Sendable {
    /// The path, relative to the router's base URL.
    public var path: RoutePath
    /// The method.
    public var method: HTTPMethod

    /// Makes a route.
    ///
    /// - Parameters:
    ///   - path: relative to the base URL, with or without a slash at its front, with or without a query:
    ///     `"films/\(id)"`.
    ///   - method: by default GET.
    public init(path: RoutePath, method: HTTPMethod = .get) {
        self.path = path
        self.method = method
    }
}
