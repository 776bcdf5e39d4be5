import Foundation
import TrunklineHTTP

/// Records the exchanges of a transport in a file, and replays them without a network.
///
/// ```swift
/// let cassette = try CassetteTransport(DefaultTransport.make(), file: url, mode: .recordMissing)
/// let session = SessionManager(transport: cassette)
/// ```
///
/// The file is a HAR 1.2 archive, which browsers and other tools read and write; it can be looked at, and edited. Status,
/// header lines (repeated ones too) and content are replayed byte by byte, except what `Redaction` has masked. Content
/// with a coding is recorded as the transport decoded it. Failures are recorded as well, by their kind.
///
/// A cassette sees what a transport sees: every hop of a redirect, every attempt, every refresh of a token is an exchange
/// of its own. Request and response bodies are held in memory to be recorded. A streamed response is recorded when its
/// reader has come to the end.
///
/// All members may be used from any thread.
public final class CassetteTransport: Transport {
    /// What a cassette does with requests.
    public enum Mode: Hashable, Sendable {
        /// Answers from the file; what it has not fails with ``CassetteError/noMatch(request:nearest:differences:file:)``.
        case replay
        /// Sends everything and records it in place of what was in the file.
        case record
        /// Answers from the file; what it has not is sent and added to it.
        case recordMissing
        /// Sends everything and records nothing; the file is not touched.
        case passThrough
    }

    /// When recorded answers arrive.
    public enum Timing: Hashable, Sendable {
        /// At once.
        case atOnce
        /// After the time they took when they were recorded, on the cassette's clock.
        case asRecorded
    }

    /// What the cassette does.
    public let mode: Mode
    private let base: (any Transport)?
    private let store: CassetteStore
    private let matching: CassetteMatching
    private let writer: CassetteWriter
    private let timing: Timing
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Date

    /// Puts a cassette in front of a transport.
    ///
    /// - Parameters:
    ///   - base: what sends the requests that are not replayed.
    ///   - file: the HAR file; it is written whole after each recorded exchange, with its folders.
    ///   - mode: what is replayed, sent and recorded.
    ///   - matching: when a recorded exchange answers; by default by method and URL, each once.
    ///   - redaction: what is masked before it is written. Requests are masked in the same way before they are compared.
    ///   - timing: when recorded answers arrive; by default at once.
    ///   - clock: what times are measured and waited for on.
    ///   - now: the date for `startedDateTime`.
    /// - Throws: ``CassetteError/missing(_:)`` in ``Mode/replay``, ``CassetteError/damaged(_:reason:)``.
    public convenience init(
        _ base: any Transport, file: URL, mode: Mode, matching: CassetteMatching = CassetteMatching(),
        redaction: Redaction = .standard, timing: Timing = .atOnce, clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws(CassetteError) {
        try self.init(
            base: base, file: file, mode: mode, matching: matching, redaction: redaction, timing: timing, clock: clock,
            now: now)
    }

    /// Makes a cassette that replays a file; see ``init(_:file:mode:matching:redaction:timing:clock:now:)``.
    public convenience init(
        replaying file: URL, matching: CassetteMatching = CassetteMatching(), redaction: Redaction = .standard,
        timing: Timing = .atOnce, clock: any Clock<Duration> = ContinuousClock()
    ) throws(CassetteError) {
        try self.init(
            base: nil, file: file, mode: .replay, matching: matching, redaction: redaction, timing: timing,
            clock: clock, now: { Date() })
    }

    private init(
        base: (any Transport)?, file: URL, mode: Mode, matching: CassetteMatching, redaction: Redaction,
        timing: Timing, clock: any Clock<Duration>, now: @escaping @Sendable () -> Date
    ) throws(CassetteError) {
        var entries: [HAREntry] = []
        if mode == .replay || mode == .recordMissing {
            let found = try CassetteStore.entries(of: file)
            if found == nil, mode == .replay { throw .missing(file) }
            entries = found ?? []
        }
        store = CassetteStore(url: file, entries: entries)
        writer = CassetteWriter(redaction: redaction)
        self.base = base
        self.mode = mode
        self.matching = matching
        self.timing = timing
        self.clock = clock
        self.now = now
    }

    /// The file.
    public var file: URL { store.url }
    /// The exchanges in the cassette, in the order they began.
    public var entries: [HAREntry] { store.entries }
    /// How many of the exchanges that were read have answered no request.
    public var unusedCount: Int { store.unusedCount }

    /// Those of the transport behind it, and without one no features.
    public var capabilities: TransportCapabilities { base?.capabilities ?? TransportCapabilities(name: "cassette") }

    /// Invalidates the transport behind it.
    public func invalidate() { base?.invalidate() }

    /// Opens a WebSocket through the transport behind the cassette; nothing of it is recorded, and it can't be replayed.
    public func openWebSocket(_ exchange: Exchange, options: WebSocketOptions) async throws -> WebSocketAnswer {
        guard let base, mode != .replay else {
            throw HTTPError.unsupported(feature: "Replaying a WebSocket", platform: "a cassette")
        }
        return try await base.openWebSocket(exchange, options: options)
    }

    public func send(_ exchange: Exchange) async throws -> HTTPResponse {
        if mode == .passThrough, let base { return try await base.send(exchange) }
        do {
            var exchange = exchange
            let progress = mode == .replay ? exchange.progress : nil
            let body = try await RequestBodyReader.read(exchange.request.body, progress: progress)
            let request = writer.request(exchange.request, body: body)
            guard mode != .record, let entry = try recorded(request) else {
                exchange.request.body = exchange.request.body?.buffered(body)
                return try await record(exchange, request)
            }
            return try await replay(entry, exchange)
        } catch {
            throw HTTPError(error)
        }
    }

    private func recorded(_ request: HARRequest) throws -> HAREntry? {
        do {
            return try store.take(request, matching)
        } catch {
            if mode == .recordMissing, base != nil { return nil }
            throw error
        }
    }

    // MARK: - Replay

    private func replay(_ entry: HAREntry, _ exchange: Exchange) async throws -> HTTPResponse {
        let timer = ElapsedTimer(clock)
        let answer = entry.response
        let waits = timing == .asRecorded
        let timings = entry.timings
        let head = waits ? CassetteTransport.duration(timings.total - max(0, timings.receive)) : .zero
        let end = waits ? head + CassetteTransport.duration(timings.receive) : .zero
        try await timer.wait(until: head, idle: exchange.timeouts.idle)
        let failure = answer.failure.flatMap { HARFailure(rawValue: $0) }
        if answer.failure != nil, failure != .lostDuringBody || answer.status == 0 {
            try await timer.wait(until: end, idle: exchange.timeouts.idle)
            throw CassetteFailures.error(failure ?? .other, answer, url: exchange.request.url)
        }
        guard let content = answer.content.data, answer.content.text != nil || answer.content.size <= 0 else {
            let name = "\(entry.request.method) \(entry.request.url)"
            throw CassetteError.contentMissing(entry: name, file: store.url)
        }
        let response = HTTPResponse(
            request: exchange.request, statusCode: answer.status, headers: answer.headers.headers,
            trailers: answer.trailers?.headers ?? [:])
        var pieces = BodyPlayback.pieces(of: content, size: 64 * 1024, due: head)
        for index in pieces.indices {
            pieces[index].due = head + (end - head) * (Double(index + 1) / Double(pieces.count))
        }
        let loss = failure == .lostDuringBody ? answer.error ?? "the connection was lost when it was recorded" : nil
        return try await BodyPlayback(pieces: pieces, loss: loss, timer: timer).deliver(response, for: exchange)
    }

    private static func duration(_ milliseconds: Double) -> Duration {
        // A file may say anything.
        milliseconds.isFinite ? .milliseconds(min(max(0, milliseconds), 86_400_000)) : .zero
    }

    // MARK: - Record

    private func record(_ exchange: Exchange, _ request: HARRequest) async throws -> HTTPResponse {
        guard let base else { throw CassetteError.missing(store.url) }
        let recording = CassetteRecording(
            store: store, writer: writer, request: request, exchange: exchange, timer: ElapsedTimer(clock), began: now()
        )
        let response: HTTPResponse
        do {
            response = try await base.send(exchange)
        } catch {
            try recording.fail(HTTPError(error))
            throw error
        }
        return try recording.take(response)
    }
}
