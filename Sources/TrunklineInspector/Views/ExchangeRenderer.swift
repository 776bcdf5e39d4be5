import Foundation
import TrunklineHTTP

/// Makes what the page and the HAR export show, with what is secret masked.
struct ExchangeRenderer: Sendable {
    let redaction: Redaction
    /// The start of the inspector, from which times are told.
    let epoch: ContinuousClock.Instant
    private let builder: HARBuilder

    init(redaction: Redaction, epoch: ContinuousClock.Instant, maximumBodyBytes: Int) {
        self.redaction = redaction
        self.epoch = epoch
        builder = HARBuilder(redaction: redaction, maximumBodyBytes: maximumBodyBytes)
    }

    func summary(_ record: ExchangeRecord) -> ExchangeSummary {
        ExchangeSummary(record, epoch: epoch, redaction: redaction)
    }

    func details(_ record: ExchangeRecord) -> ExchangeDetails {
        let request = record.request ?? record.attempts.first?.request
        let entry = cached(record)
        let source: String? = record.answer.map {
            if case .cache = $0.source { "cache" } else { record.isCoalesced ? "shared" : "interceptor" }
        }
        return ExchangeDetails(
            summary: summary(record), url: request.map { redaction.url($0.url) } ?? "",
            timeline: record.notes.map { TimelineItem($0, of: record) }, droppedNotes: record.droppedNotes,
            attempts: record.attempts.map { attempt($0, of: record) }, answer: entry?.response, answerSource: source,
            request: record.attempts.isEmpty ? request.map { builder.request($0) } : nil,
            curl: record.attempts.isEmpty ? request?.cURLDescription(redacting: redaction) : nil)
    }

    /// Every attempt that has ended and every answer that needed none, in the order they began.
    func har(_ records: [ExchangeRecord]) -> HARFile {
        var entries: [(start: Date, entry: HAREntry)] = []
        for record in records {
            entries += record.attempts.compactMap { attempt in
                entry(attempt, of: record).map { (attempt.date, $0) }
            }
            if let entry = cached(record) { entries.append((record.date, entry)) }
        }
        entries.sort { $0.start < $1.start }
        return HARFile(log: HARLog(entries: entries.map(\.entry)))
    }

    private func attempt(_ attempt: AttemptRecord, of record: ExchangeRecord) -> ExchangeDetails.Attempt {
        let entry = entry(attempt, of: record)
        let metrics = attempt.end?.response?.metrics
        return ExchangeDetails.Attempt(
            number: attempt.number, attempt: attempt.attempt, start: Phase.milliseconds(attempt.start - record.start),
            duration: attempt.end.map { Phase.milliseconds($0.time - attempt.start) },
            url: redaction.url(attempt.request.url), request: entry?.request ?? builder.request(attempt.request),
            response: entry?.response ?? attempt.head.map { head($0, of: record) },
            phases: Phase.attempt(of: attempt, from: attempt.start),
            remote: metrics?.remoteAddress, spoken: metrics?.networkProtocol, isReused: metrics?.isReusedConnection,
            sent: metrics?.bytesSent, received: metrics?.bytesReceived,
            curl: attempt.request.cURLDescription(redacting: redaction))
    }

    /// The entry of an attempt; nil while it is under way.
    private func entry(_ attempt: AttemptRecord, of record: ExchangeRecord) -> HAREntry? {
        guard let end = attempt.end else { return nil }
        let outcome: Event.Outcome = end.response.map { .success($0) } ?? .failure(.cancelled)
        var entry = builder.entry(
            Event.Attempt(number: attempt.number, attempt: attempt.attempt, request: attempt.request, trace: nil),
            Event.AttemptEnd(
                outcome: outcome, contentBytes: end.contentBytes, isContentWhole: end.isContentWhole),
            of: record.id, start: attempt.date, elapsed: end.time - attempt.start, cache: record.cache)
        entry.response.error = end.failure?.text
        entry.response.failure = end.failure?.kind.rawValue
        return entry
    }

    private func cached(_ record: ExchangeRecord) -> HAREntry? {
        guard let answer = record.answer, let time = record.end?.time else { return nil }
        var entry = builder.cached(
            answer, of: record.id, start: record.date, elapsed: time - record.start, cache: record.cache)
        // Not every answer without an attempt is the cache's.
        if case .network = answer.source {
            entry.fromCache = nil
            entry.cache = HARCache()
        }
        return entry
    }

    /// An answer whose content has not ended.
    private func head(_ response: HTTPResponse, of record: ExchangeRecord) -> HARResponse {
        builder.entry(
            Event.Attempt(number: 1, attempt: 1, request: response.request, trace: nil),
            Event.AttemptEnd(outcome: .success(response), contentBytes: 0, isContentWhole: true),
            of: record.id, start: record.date, elapsed: .zero
        ).response
    }
}
