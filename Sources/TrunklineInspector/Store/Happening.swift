import Foundation
import TrunklineHTTP

/// What an event means to the store. Made outside the store's lock: errors are put into words and contents are cut
/// here.
struct Happening: Sendable {
    enum Change: Sendable {
        case created(HTTPRequest?)
        case attemptStarted(AttemptRecord)
        case responseHead(Int, HTTPResponse)
        case attemptEnded(Int, AttemptRecord.End)
        /// What the pipeline answered with.
        case answered(HTTPResponse)
        case completed(ExchangeRecord.End)
        /// Nothing but a note.
        case none
    }

    let id: RequestID
    let time: ContinuousClock.Instant
    let date: Date
    let change: Change
    let note: TimelineNote.Kind?
    /// Whether a redirect or a retry is counted.
    var isRedirect = false
    var isRetry = false

    /// Nil for what is not shown.
    init?(_ event: Event, redaction: Redaction, maximumBodyBytes limit: Int) {
        id = event.id
        time = event.time
        date = event.date
        func kept(_ error: HTTPError?) -> KeptFailure? { error.map { KeptFailure($0, redaction) } }
        switch event.kind {
        case .created(let request):
            (change, note) = (.created(request?.kept(limit: 0)), .created)
        case .suspended: (change, note) = (.none, .suspended)
        case .resumed: (change, note) = (.none, .resumed)
        case .cache(let decision): (change, note) = (.none, .cache(decision))
        case .coalesced(let other): (change, note) = (.none, .coalesced(with: other))
        case .waitStarted(let reason): (change, note) = (.none, .waitStarted(reason))
        case .waitEnded(let reason, let error): (change, note) = (.none, .waitEnded(reason, kept(error)))
        case .refreshStarted: (change, note) = (.none, .refreshStarted)
        case .refreshEnded(let error): (change, note) = (.none, .refreshEnded(kept(error)))
        case .attemptStarted(let attempt):
            let record = AttemptRecord(
                number: attempt.number, attempt: attempt.attempt, start: event.time, date: event.date,
                request: attempt.request.kept(limit: limit))
            (change, note) = (.attemptStarted(record), .attemptStarted(attempt.number))
        case .responseHead(let attempt, let head):
            change = .responseHead(attempt.number, head.kept(limit: 0))
            note = .responseHead(attempt.number, status: head.statusCode)
        case .attemptEnded(let attempt, let end):
            let (response, error) = end.outcome.parts
            let cut = response?.kept(limit: limit)
            let failure = kept(error)
            change = .attemptEnded(
                attempt.number,
                AttemptRecord.End(
                    time: event.time, response: cut, failure: failure, contentBytes: end.contentBytes,
                    isContentWhole: end.isContentWhole && response?.data.count == cut?.data.count))
            note = .attemptEnded(attempt.number, bytes: end.contentBytes, failure)
        case .exchangeEnded(.success(let response)):
            (change, note) = (.answered(response.kept(limit: limit)), nil)
        case .redirected(let redirect):
            change = .none
            note = .redirected(
                status: redirect.response.statusCode, method: redirect.request.method.rawValue,
                url: redaction.url(redirect.request.url))
            isRedirect = true
        case .retryScheduled(let retry):
            let reason = Happening.words(of: retry.reason, redaction)
            (change, note) = (.none, .retryScheduled(reason: reason, delay: retry.delay))
            isRetry = true
        case .completed(let outcome):
            let (response, error) = outcome.parts
            let failure = kept(error)
            change = .completed(
                ExchangeRecord.End(time: event.time, status: response?.statusCode, failure: failure))
            note = .completed(status: response?.statusCode, failure)
        case .exchangeStarted, .exchangeEnded(.failure), .stageEntered, .stageLeft, .bytes, .metrics, .spanEnded:
            return nil
        }
    }

    private static func words(of reason: Event.Retry.Reason, _ redaction: Redaction) -> String {
        switch reason {
        case .status(let status): "status \(status)"
        case .failure(let error): redaction.text(error.description)
        case .credentialRefused: "the credential was refused, and there is another now"
        case .reconnection(let error): error.map { redaction.text($0.description) } ?? "the event stream ended"
        }
    }
}

extension Event.Outcome {
    /// The answer, or the one that came with the failure, and the failure.
    fileprivate var parts: (HTTPResponse?, HTTPError?) {
        switch self {
        case .success(let response): (response, nil)
        case .failure(let error): (error.response, error)
        }
    }
}
