import Foundation

extension LoopbackServer {
    /// Answers requests of a method and path by a handler.
    ///
    /// A later route with the same method and path replaces the earlier one, also while requests are under way. A plain
    /// path goes before templates; templates are tried in the order they were added. `HEAD` is answered by the route of
    /// `GET` when it has none of its own, without the body.
    ///
    /// - Parameters:
    ///   - method: The method; nil for every method.
    ///   - path: The decoded path. `{name}` stands for one segment, whose decoded value is in
    ///     ``LoopbackRequest/pathValues``; a last segment `*` stands for any rest.
    ///   - options: When the request is answered and what becomes of its body.
    ///   - handler: Called in a task of its own for each request.
    public func route(
        _ method: HTTPMethod?, _ path: String, options: LoopbackRouteOptions = LoopbackRouteOptions(),
        _ handler: @escaping Handler
    ) {
        add(method, path, options, .handler(handler))
    }

    /// Answers requests of a method and path with the same answer each time, sent by the server's own thread with no
    /// task: the fast way. For the parameters see ``route(_:_:options:_:)``.
    public func route(
        _ method: HTTPMethod?, _ path: String, options: LoopbackRouteOptions = LoopbackRouteOptions(),
        respond response: LoopbackResponse
    ) {
        add(method, path, options, .fixed(FixedAnswer(response)))
    }

    /// Answers the requests that no route answers, in place of the 404 they get by default.
    public func fallback(options: LoopbackRouteOptions = LoopbackRouteOptions(), _ handler: @escaping Handler) {
        core.routes.withLock { $0.fallback = (.handler(handler), options) }
    }

    /// Answers the requests that no route answers with the same answer each time.
    public func fallback(options: LoopbackRouteOptions = LoopbackRouteOptions(), respond response: LoopbackResponse) {
        let answer = FixedAnswer(response)
        core.routes.withLock { $0.fallback = (.fixed(answer), options) }
    }

    /// Removes all routes and the fallback.
    public func removeRoutes() {
        core.routes.withLock { $0.removeRoutes() }
    }

    /// Has a script serve a connection in place of the routes.
    ///
    /// A script starts when its connection is accepted; connections that are open already are not touched.
    ///
    /// - Parameters:
    ///   - connection: The number of the connection, from 1 in the order of acceptance.
    ///   - steps: What is done, in order.
    public func script(connection: Int, _ steps: [ScriptStep]) {
        core.routes.withLock { $0.scripts[connection] = steps }
    }

    /// Has a script serve every connection accepted from now on that has no script of its own; nil gives them back to
    /// the routes.
    public func script(_ steps: [ScriptStep]?) {
        core.routes.withLock { $0.commonScript = steps }
    }

    private func add(
        _ method: HTTPMethod?, _ path: String, _ options: LoopbackRouteOptions, _ action: RouteAction
    ) {
        let route = Route(method: method, template: PathTemplate(path), options: options, action: action)
        core.routes.withLock { $0.add(route) }
    }
}
