/// The routes of a server, its scripts and its options: all that says how connections are answered.
struct RouteTable: Sendable {
    /// What the loop does with one request.
    struct Match {
        var action: RouteAction
        var route: LoopbackRouteOptions
        var values: [String: String] = [:]
        var options: LoopbackOptions
    }

    var options: LoopbackOptions
    /// Scripts of single connections, by number.
    var scripts: [Int: [ScriptStep]] = [:]
    /// The script of every other connection.
    var commonScript: [ScriptStep]?
    var fallback: (action: RouteAction, options: LoopbackRouteOptions)?

    private var literals: [String: [Route]] = [:]
    private var templates: [Route] = []

    init(options: LoopbackOptions) { self.options = options }

    /// Adds a route, in place of one with the same method and path.
    mutating func add(_ route: Route) {
        if route.template.isLiteral {
            RouteTable.put(route, into: &literals[route.template.text, default: []])
        } else {
            RouteTable.put(route, into: &templates)
        }
    }

    private static func put(_ route: Route, into routes: inout [Route]) {
        let same = routes.firstIndex { $0.method == route.method && $0.template == route.template }
        if let same { routes[same] = route } else { routes.append(route) }
    }

    mutating func removeRoutes() {
        literals = [:]
        templates = []
        fallback = nil
    }

    /// Finds what answers a request: the plain path first, then templates in the order they were added, then plain
    /// paths that are equal after decoding. A route for the method goes before one for every method, and `HEAD` is
    /// answered by `GET` when it has no route of its own.
    func match(method: String, target: String) -> Match {
        let path = LoopbackTarget.path(of: target)
        if let routes = literals[path], let route = RouteTable.pick(routes, method) {
            return Match(action: route.action, route: route.options, options: options)
        }
        let parts = PathTemplate.split(path)
        if !templates.isEmpty {
            for name in RouteTable.names(method) {
                for route in templates where route.method.map({ $0.rawValue == name }) ?? (name == "") {
                    guard let values = route.template.match(parts) else { continue }
                    return Match(action: route.action, route: route.options, values: values, options: options)
                }
            }
        }
        if path.utf8.contains(UInt8(ascii: "%")) {
            for routes in literals.values {
                guard let first = routes.first, first.template.match(parts) != nil,
                    let route = RouteTable.pick(routes, method)
                else { continue }
                return Match(action: route.action, route: route.options, options: options)
            }
        }
        if let fallback { return Match(action: fallback.action, route: fallback.options, options: options) }
        return Match(
            action: .fixed(FixedAnswer(RouteTable.notFound(method, path))), route: LoopbackRouteOptions(),
            options: options)
    }

    private static func notFound(_ method: String, _ path: String) -> LoopbackResponse {
        .text("The loopback server has no route for \(method) \(path)", status: 404)
    }

    /// The names to look for, in order; the empty one stands for routes of every method.
    private static func names(_ method: String) -> [String] {
        method == "HEAD" ? ["HEAD", "GET", ""] : [method, ""]
    }

    private static func pick(_ routes: [Route], _ method: String) -> Route? {
        if routes.count == 1, let only = routes.first, only.method?.rawValue == method { return only }
        for name in names(method) {
            let found = routes.first { route in route.method.map { $0.rawValue == name } ?? (name == "") }
            if let found { return found }
        }
        return nil
    }
}
