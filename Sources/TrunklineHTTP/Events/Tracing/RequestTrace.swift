import Foundation

/// The span of one request of the caller's, and those of its attempts.
struct RequestTrace: Sendable {
    /// The request's own span.
    let context: TraceContext
    private let parent: String?
    private let origins: Set<Origin>?
    private let request: HTTPRequest?
    private let start = Date()

    init(_ propagation: TracePropagation, request: HTTPRequest?) {
        let outer = propagation.current()
        context = outer?.child() ?? TraceContext(isSampled: propagation.samples())
        parent = outer?.spanID
        origins = propagation.origins
        self.request = request
    }

    /// Begins the span of an attempt and puts it on the request, where it may go. Nil for a request that brings its own.
    func prepare(_ request: inout HTTPRequest) -> TraceContext? {
        if request.headers.contains("traceparent") { return nil }
        let attempt = context.child()
        if origins?.contains(Origin(request.url)) != false {
            request.headers.set("traceparent", attempt.traceParent)
            if !attempt.state.isEmpty { request.headers.set("tracestate", attempt.state) }
        }
        return attempt
    }

    /// The span of an attempt that has ended; nil where the request has no trace.
    func span(of attempt: Event.Attempt, _ start: Date, _ outcome: Event.Outcome) -> TraceSpan? {
        attempt.trace.map {
            TraceSpan(
                $0, parent: context.spanID, kind: .client, start: start, request: attempt.request,
                resends: attempt.number - 1, outcome: outcome)
        }
    }

    /// The span of the whole.
    func span(_ outcome: Event.Outcome) -> TraceSpan {
        TraceSpan(context, parent: parent, kind: .internal, start: start, request: request, outcome: outcome)
    }
}
