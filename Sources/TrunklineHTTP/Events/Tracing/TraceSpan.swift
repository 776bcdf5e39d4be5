import Foundation

/// A span that has ended, with what OpenTelemetry's semantic conventions for HTTP clients say of it: what a bridge to a
/// tracing system passes on. URLs in it went through ``Redaction/standard``.
///
/// ```swift
/// struct Bridge: EventMonitor {
///     func receive(_ event: Event) {
///         if case .spanEnded(let span) = event.kind, span.isSampled { export(span) }
///     }
/// }
/// ```
public struct TraceSpan: Hashable, Sendable {
    /// What kind of work it was.
    public enum Kind: String, Hashable, Sendable {
        /// The request of the caller, whatever it took.
        case `internal`
        /// One attempt: a request that went out.
        case client
    }

    /// The value of an attribute.
    public enum Value: Hashable, Sendable {
        case string(String)
        case int(Int64)
    }

    /// The trace: 32 hexadecimal digits.
    public var traceID: String
    /// The span: 16 hexadecimal digits.
    public var spanID: String
    /// The span it is part of; nil for the first of a trace.
    public var parentSpanID: String?
    /// Its name: the method.
    public var name: String
    /// What kind of work it was.
    public var kind: Kind
    /// When it began.
    public var start: Date
    /// When it ended.
    public var end: Date
    /// What is known of it, by the names of the conventions: `http.request.method`, `url.full`, `server.address`,
    /// `server.port`, `http.response.status_code`, `http.request.resend_count`, `error.type`, `network.protocol.name`,
    /// `network.protocol.version`, `network.peer.address`, `network.peer.port`.
    public var attributes: [String: Value]
    /// What it failed with, in words; nil where it did not. An answer of status 400 or above is a failure of the attempt.
    public var error: String?
    /// Whether the trace is recorded.
    public var isSampled: Bool
    /// The `tracestate`.
    public var state: String

    init(
        _ context: TraceContext, parent: String?, kind: Kind, start: Date, request: HTTPRequest?, resends: Int = 0,
        outcome: Event.Outcome
    ) {
        traceID = context.traceID
        spanID = context.spanID
        parentSpanID = parent
        isSampled = context.isSampled
        state = context.state
        self.kind = kind
        self.start = start
        end = Date()
        name = request?.method.rawValue ?? "HTTP"
        attributes = request.map(SpanAttributes.request) ?? [:]
        if resends > 0 { attributes["http.request.resend_count"] = .int(Int64(resends)) }
        switch outcome {
        case .success(let response):
            attributes.merge(SpanAttributes.response(response)) { $1 }
            // The caller's own span fails with the request alone: a status may be what was wanted.
            if kind == .client, response.statusCode >= 400 {
                error = "status \(response.statusCode)"
                attributes["error.type"] = .string("\(response.statusCode)")
            }
        case .failure(let failure):
            if let response = failure.response { attributes.merge(SpanAttributes.response(response)) { $1 } }
            error = failure.description
            attributes["error.type"] = .string(SpanAttributes.type(of: failure))
        }
    }
}
