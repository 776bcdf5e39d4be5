import Foundation
import TrunklineHTTP

/// What is kept of one attempt. Holds nothing of the app's: no stream, no error object, no content beyond its limit.
struct AttemptRecord: Sendable {
    /// How an attempt ended.
    struct End: Sendable {
        var time: ContinuousClock.Instant
        /// The answer, also one that came with a failure.
        var response: HTTPResponse?
        var failure: KeptFailure?
        /// The bytes of content that arrived.
        var contentBytes: Int64
        /// Whether the response has them all.
        var isContentWhole: Bool
    }

    /// Its place among the attempts of its request, from 1.
    let number: Int
    /// How often the request had been sent again, plus 1.
    let attempt: Int
    let start: ContinuousClock.Instant
    let date: Date
    var request: HTTPRequest
    /// When the head of the answer was there.
    var headTime: ContinuousClock.Instant?
    /// The head, until the end is known.
    var head: HTTPResponse?
    var end: End?
    /// Whether contents were dropped for want of room.
    var isStripped = false

    /// The bytes it takes, roughly.
    var cost: Int {
        256 + request.keptCost + (head?.keptCost ?? 0) + (end?.response?.keptCost ?? 0)
    }

    /// Drops the contents.
    mutating func strip() {
        guard !isStripped else { return }
        isStripped = true
        request = request.kept(limit: 0)
        guard var end else { return }
        end.response = end.response?.kept(limit: 0)
        end.isContentWhole = end.contentBytes == 0
        self.end = end
    }
}

/// What is kept of an error: its words, with what is secret masked.
struct KeptFailure: Sendable {
    let text: String
    let kind: HARFailure
    let isCancellation: Bool

    init(_ error: HTTPError, _ redaction: Redaction) {
        text = redaction.text(error.description)
        kind = HARFailure(error)
        if case .cancelled = error { isCancellation = true } else { isCancellation = false }
    }
}
