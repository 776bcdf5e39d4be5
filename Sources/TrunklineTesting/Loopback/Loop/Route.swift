/// What answers a request.
enum RouteAction: Sendable {
    /// The same answer every time, sent by the loop itself.
    case fixed(FixedAnswer)
    /// A handler, run in a task.
    case handler(LoopbackServer.Handler)
}

/// One registered route.
struct Route: Sendable {
    /// Nil for every method.
    var method: HTTPMethod?
    var template: PathTemplate
    var options: LoopbackRouteOptions
    var action: RouteAction
}

/// An answer with its usual wire form made in advance.
struct FixedAnswer: Sendable {
    let response: LoopbackResponse
    /// The steps for HTTP/1.1, a method with a body in answers, and a connection that is kept.
    private let usual: [LoopStep]

    init(_ response: LoopbackResponse) {
        self.response = response
        usual = ResponseEncoder.steps(response, ResponseEncoder.Context())
    }

    func steps(_ context: ResponseEncoder.Context) -> [LoopStep] {
        let isUsual = !context.isHead && context.minorVersion == 1 && context.keepsAlive
        return isUsual ? usual : ResponseEncoder.steps(response, context)
    }
}
