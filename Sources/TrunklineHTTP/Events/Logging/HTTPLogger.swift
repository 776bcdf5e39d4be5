import Foundation

/// Writes a session's requests down: set it in ``SessionConfiguration/eventMonitors``.
///
/// ```swift
/// configuration.eventMonitors = [HTTPLogger(.headers)]
/// ```
///
/// By default one line a request, when it has ended:
///
///     #12 GET https://example.com/books?page=2 200 4.1 kB in 38 ms (h2, 2 attempts, 1 redirect)
///
/// With ``Level/headers`` and ``Level/body`` the lines of one request are written together, in one piece. What is secret
/// is masked (``Redaction/standard``), and control characters are written as escapes, so that no server can forge a line.
public final class HTTPLogger: EventMonitor {
    /// How much is written.
    public enum Level: Int, Hashable, Sendable, Comparable, CaseIterable {
        /// Nothing.
        case none
        /// One line a request.
        case basic
        /// The header fields as well.
        case headers
        /// And the contents, where they are text, up to ``HTTPLogger/maximumBodyBytes``.
        case body

        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    fileprivate struct Record: Sendable {
        var start: ContinuousClock.Instant
        var request: HTTPRequest?
        var attempts = 0
        var redirects = 0
        var cache: CacheEvent?
        var bytes: Int64 = 0
        /// The last attempt's answer, with what was kept of a content that was streamed.
        var end: Event.AttemptEnd?
    }

    /// How much is written.
    public let level: Level
    /// What is masked.
    public let redaction: Redaction
    /// The most bytes of a content that are written.
    public let maximumBodyBytes: Int

    private let sink: Sink
    private let records = Protected<[RequestID: Record]>([:])

    /// Makes a logger.
    ///
    /// - Parameters:
    ///   - level: how much is written; by default one line a request.
    ///   - sink: where it is written; by default standard error.
    ///   - redaction: what is masked; by default credentials. ``Redaction/none`` shows everything.
    ///   - maximumBodyBytes: the most bytes of each content; by default 16 KB.
    public init(
        _ level: Level = .basic, to sink: Sink = .standardError, redaction: Redaction = .standard,
        maximumBodyBytes: Int = 16 << 10
    ) {
        self.level = level
        self.sink = sink
        self.redaction = redaction
        self.maximumBodyBytes = max(0, maximumBodyBytes)
    }

    /// Streamed content, where contents are written.
    public var details: EventDetails { level == .body ? .content : [] }

    public func receive(_ event: Event) {
        guard level > .none else { return }
        if case .completed(let outcome) = event.kind {
            guard let record = records.withLock({ $0.removeValue(forKey: event.id) }) else { return }
            return sink.write(text(of: event, record, outcome), isFailure: outcome.isFailed)
        }
        records.withLock { records in
            if case .created(let request) = event.kind {
                records[event.id] = Record(start: event.time, request: request)
                return
            }
            guard var record = records[event.id] else { return }
            record.note(event.kind)
            records[event.id] = record
        }
    }

    private func text(of event: Event, _ record: Record, _ outcome: Event.Outcome) -> String {
        let redaction = record.request.map(redaction.coveringCredential) ?? redaction
        let writer = LogWriter(
            redaction: redaction, style: LogStyle(isColoured: sink.isColoured), maximumBodyBytes: maximumBodyBytes)
        var notes: [String] = []
        if let cache = record.cache { notes.append("cache \(cache.name)") }
        if let spoken = outcome.answer?.metrics?.networkProtocol { notes.append(spoken) }
        if record.attempts - record.redirects > 1 { notes.append("\(record.attempts - record.redirects) attempts") }
        if record.redirects > 0 { notes.append("\(record.redirects) redirect\(record.redirects == 1 ? "" : "s")") }
        let request = outcome.answer?.request ?? record.request
        var lines = [
            writer.line(
                event.id, record.request, outcome, bytes: record.bytes, duration: event.time - record.start, notes)
        ]
        if level >= .headers, let request { lines += writer.request(request, withBody: level == .body) }
        if level >= .headers, let response = outcome.answer {
            lines += writer.response(response, record.end, withBody: level == .body)
        }
        return lines.joined(separator: "\n")
    }
}

extension HTTPLogger.Record {
    fileprivate mutating func note(_ kind: Event.Kind) {
        switch kind {
        case .attemptStarted: attempts += 1
        case .redirected: redirects += 1
        case .cache(let event) where event != .stored && event != .bypassed: cache = event
        case .attemptEnded(_, let end):
            bytes = end.contentBytes
            self.end = end
        case .exchangeEnded(.success(let response)) where attempts == 0: bytes = Int64(response.data.count)
        default: break
        }
    }
}

extension Event.Outcome {
    var isFailed: Bool {
        if case .failure = self { true } else { false }
    }

    /// The answer, or the one that came with the failure.
    var answer: HTTPResponse? {
        switch self {
        case .success(let response): response
        case .failure(let error): error.response
        }
    }
}
