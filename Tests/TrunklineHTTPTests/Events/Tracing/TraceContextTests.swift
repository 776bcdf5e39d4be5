import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite("W3C trace context")
struct TraceContextTests {
    private static let valid = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    @Test(
        "traceparent: what is valid",
        arguments: [
            (valid, true), ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00", true),
            ("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", true),
            ("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what", true),
            ("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01.what", false),
            (valid + "-x", false), ("ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", false),
            ("00-00000000000000000000000000000000-00f067aa0ba902b7-01", false),
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01", false),
            ("00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01", false),
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0g", false), ("", false), (" " + valid, false),
            ("00_4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", false),
        ])
    func parsing(text: String, isValid: Bool) { #expect((TraceContext(traceParent: text) != nil) == isValid) }

    @Test("Random contexts are valid and differ; a child keeps the trace")
    func making() throws {
        var spans: Set<String> = []
        for _ in 0..<500 {
            let context = TraceContext()
            let read = try #require(TraceContext(traceParent: context.traceParent))
            #expect(read == context)
            let child = context.child()
            #expect(child.traceID == context.traceID && child.spanID != context.spanID)
            spans.formUnion([context.spanID, child.spanID])
        }
        #expect(spans.count == 1000)
        #expect(TraceContext(isSampled: false).traceParent.hasSuffix("-00"))
    }

    @Test(
        "tracestate: kept where it is valid",
        arguments: [
            ("rojo=00f067aa0ba902b7,congo=t61rcWkgMzE", "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE"),
            ("a=1 , \t b=2,", "a=1,b=2"), ("t@sys=1", "t@sys=1"), ("A=1", ""), ("a=1,a=2", ""), ("a=b=c", ""),
            ("a", ""),
            ("a=", ""), ("1a=1", ""), ("1a@b=1", "1a@b=1"),
            ((0..<33).map { "k\($0)=1" }.joined(separator: ","), ""),
        ])
    func state(text: String, kept: String) {
        #expect(TraceContext(traceParent: Self.valid, traceState: text)?.state == kept)
    }

    private func session(
        _ log: EventLog?, _ tracing: TracePropagation = TracePropagation(),
        answer: @escaping StubTransport.Answer
    ) -> (SessionManager, StubTransport) {
        let transport = StubTransport(answer)
        let configuration = SessionConfiguration(
            retry: RetryPolicy(limit: 1, baseDelay: .zero), eventMonitors: log.map { [$0] } ?? [], tracing: tracing)
        return (SessionManager(configuration: configuration, transport: transport), transport)
    }

    @Test("A trace for each request, a span for each attempt, in the caller's trace where there is one")
    func propagation() async throws {
        let log = EventLog()
        let (session, transport) = session(log) { .stub(for: $0, status: $0.attempt == 1 ? 503 : 200) }
        let outer = try #require(TraceContext(traceParent: Self.valid, traceState: "rojo=1"))
        _ = try await TraceContext.$current.withValue(outer) { try await session.send("http://h:81/a?token=HUSH") }
        let sent = try transport.requests.map { request in
            try #require(TraceContext(traceParent: request.headers["traceparent"] ?? ""))
        }
        #expect(sent.count == 2 && sent[0].spanID != sent[1].spanID)
        #expect(sent.allSatisfy { $0.traceID == outer.traceID && $0.isSampled })
        #expect(transport.requests.allSatisfy { $0.headers["tracestate"] == "rojo=1" })
        let spans = log.all.compactMap { if case .spanEnded(let span) = $0.kind { span } else { nil } }
        #expect(
            spans.map(\.kind) == [.client, .client, .internal]
                && spans.map(\.spanID).prefix(2) == sent.map(\.spanID)[...])
        let whole = try #require(spans.last)
        #expect(whole.parentSpanID == outer.spanID && spans.prefix(2).allSatisfy { $0.parentSpanID == whole.spanID })
        #expect(spans[0].error == "status 503" && spans[1].error == nil && whole.error == nil)
        #expect(
            spans[1].attributes == [
                "http.request.method": .string("GET"), "url.full": .string("http://h:81/a?token=<redacted>"),
                "server.address": .string("h"), "server.port": .int(81), "http.response.status_code": .int(200),
                "http.request.resend_count": .int(1),
            ])
        #expect(log.names.suffix(2) == ["spanEnded", "completed"])
        #expect(log.all.mistakes.isEmpty)

        _ = try await session.send("http://h/")
        let other = try #require(TraceContext(traceParent: transport.requests.last?.headers["traceparent"] ?? ""))
        #expect(other.traceID != outer.traceID)
    }

    @Test("Without monitors the trace goes along all the same; a request's own stays; other origins get none")
    func limits() async throws {
        let (session, transport) = session(nil, TracePropagation(origins: ["http://h"], samples: { false })) {
            exchange in
            guard exchange.request.url.path == "/away" else { return .stub(for: exchange, status: 200) }
            return .stub(for: exchange, status: 302, headers: ["Location": "http://other/"])
        }
        _ = try await session.send("http://h/away")
        #expect(transport.requests.first?.headers["traceparent"]?.hasSuffix("-00") == true)
        #expect(transport.requests.last?.headers["traceparent"] == nil && transport.requests.count == 2)
        _ = try await session.send(
            HTTPRequest(url: try #require(URL(string: "http://h/")), headers: ["traceparent": Self.valid]))
        #expect(transport.requests.last?.headers["traceparent"] == Self.valid)
    }
}
