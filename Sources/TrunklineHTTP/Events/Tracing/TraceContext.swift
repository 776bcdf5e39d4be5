/// A place in a distributed trace, as W3C Trace Context (level 1) carries it between services.
public struct TraceContext: Hashable, Sendable {
    /// The trace of the running task; what ``TracePropagation`` goes on with by default. Set it around the work:
    ///
    /// ```swift
    /// try await TraceContext.$current.withValue(context) { try await session.send(url) }
    /// ```
    @TaskLocal public static var current: TraceContext?

    /// The trace: 32 lower-case hexadecimal digits, not all zero.
    public let traceID: String
    /// The span in it: 16 lower-case hexadecimal digits, not all zero.
    public let spanID: String
    /// Whether the trace is recorded by whoever began it.
    public var isSampled: Bool
    /// The `tracestate`: what other systems carry along, passed on as it is; empty for none.
    public private(set) var state: String

    private init(traceID: String, spanID: String, isSampled: Bool, state: String) {
        self.traceID = traceID
        self.spanID = spanID
        self.isSampled = isSampled
        self.state = state
    }

    /// Begins a trace of random identities.
    public init(isSampled: Bool = true) {
        self.init(
            traceID: TraceContext.random() + TraceContext.random(), spanID: TraceContext.random(), isSampled: isSampled,
            state: "")
    }

    /// Reads the two header fields (sections 3.2 and 3.3).
    ///
    /// - Parameters:
    ///   - traceParent: the value of `traceparent`; nil is returned when it is not valid.
    ///   - traceState: the value of `tracestate`, its lines joined by commas; dropped when it is not valid.
    public init?(traceParent: String, traceState: String? = nil) {
        let text = Array(traceParent.utf8)
        guard text.count >= 55, text[2] == TraceContext.dash, text[35] == TraceContext.dash,
            text[52] == TraceContext.dash
        else { return nil }
        let (version, trace, span, flags) = (text[0..<2], text[3..<35], text[36..<52], text[53..<55])
        guard [version, trace, span, flags].allSatisfy({ $0.allSatisfy(TraceContext.isDigit) }),
            trace.contains(where: { $0 != TraceContext.zero }), span.contains(where: { $0 != TraceContext.zero })
        else { return nil }
        let versionText = String(decoding: version, as: UTF8.self)
        guard versionText != "ff" else { return nil }
        // A later version may have more after a dash; version 00 has not.
        if text.count > 55, versionText == "00" || text[55] != TraceContext.dash { return nil }
        guard let number = UInt8(String(decoding: flags, as: UTF8.self), radix: 16) else { return nil }
        self.init(
            traceID: String(decoding: trace, as: UTF8.self), spanID: String(decoding: span, as: UTF8.self),
            isSampled: number & 1 == 1, state: traceState.flatMap(TraceState.checked) ?? "")
    }

    /// Another span of the same trace, of a random identity.
    public func child() -> TraceContext {
        TraceContext(traceID: traceID, spanID: TraceContext.random(), isSampled: isSampled, state: state)
    }

    /// The value of `traceparent`, in version 00.
    public var traceParent: String { "00-\(traceID)-\(spanID)-\(isSampled ? "01" : "00")" }

    private static let dash = UInt8(ascii: "-")
    private static let zero = UInt8(ascii: "0")

    /// Upper case is not allowed (section 3.2.2.3).
    private static func isDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
    }

    /// 16 random digits, not all zero.
    private static func random() -> String {
        let text = String(UInt64.random(in: 1...UInt64.max), radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }
}
