import TrunklineHTTP

/// A line of the timeline in the page's details.
struct TimelineItem: Sendable, Encodable {
    /// What it looks like.
    enum Kind: String, Sendable, Encodable {
        case life, cache, wait, attempt, redirect, retry, refresh, success, failure
    }

    /// Milliseconds from the exchange's start.
    let at: Double
    let kind: Kind
    let text: String

    init(_ note: TimelineNote, of record: ExchangeRecord) {
        at = Phase.milliseconds(note.time - record.start)
        (kind, text) = TimelineItem.words(of: note.kind)
    }

    private static func words(of kind: TimelineNote.Kind) -> (Kind, String) {
        switch kind {
        case .created: (.life, "Request made")
        case .suspended: (.life, "Suspended by the caller")
        case .resumed: (.life, "Resumed")
        case .cache(let decision): (.cache, words(of: decision))
        case .coalesced(let other): (.wait, "Shares the exchange of request \(other)")
        case .waitStarted(let reason): (.wait, "Waits for \(words(of: reason))")
        case .waitEnded(let reason, nil): (.wait, "No longer waits for \(words(of: reason))")
        case .waitEnded(_, let failure?): (.failure, failure.text)
        case .refreshStarted: (.refresh, "Waits for a new credential")
        case .refreshEnded(nil): (.refresh, "Has a new credential")
        case .refreshEnded(let failure?): (.failure, failure.text)
        case .attemptStarted(let number): (.attempt, "Attempt \(number) sent")
        case .responseHead(_, let status): (.attempt, "Answer of status \(status) begins")
        case .attemptEnded(let number, let bytes, nil):
            (.attempt, "Attempt \(number) ended, \(bytes) byte\(bytes == 1 ? "" : "s") of content")
        case .attemptEnded(let number, _, let failure?): (.failure, "Attempt \(number) failed: \(failure.text)")
        case .redirected(let status, let method, let url):
            (.redirect, "Redirect \(status) followed: \(method) \(url)")
        case .retryScheduled(let reason, let delay):
            (.retry, "Will be sent again in \(Int(Phase.milliseconds(delay).rounded())) ms: \(reason)")
        case .completed(let status, nil): (.success, status.map { "Completed with status \($0)" } ?? "Completed")
        case .completed(_, let failure?):
            failure.isCancellation ? (.life, "Cancelled") : (.failure, "Failed: \(failure.text)")
        }
    }

    private static func words(of reason: Event.WaitReason) -> String {
        switch reason {
        case .queue: "its turn"
        case .rateLimit: "the rate limit"
        case .connectivity: "a network"
        }
    }

    private static func words(of decision: CacheEvent) -> String {
        func seconds(_ age: Duration) -> String { "\(Int(max(0, age.seconds.rounded()))) s old" }
        return switch decision {
        case .hit(let age): "Cache: hit, \(seconds(age))"
        case .stale(let age): "Cache: answers with what is stale, \(seconds(age))"
        case .miss: "Cache: nothing usable is stored"
        case .revalidating: "Cache: asks whether the stored answer still holds"
        case .revalidated: "Cache: the stored answer still holds"
        case .bypassed: "Cache: has no part in it"
        case .fallback(let age): "Cache: the network failed, answers with what is stored, \(seconds(age))"
        case .refused: "Cache: nothing is stored, and the policy forbids asking the server"
        case .stored: "Cache: the answer is stored"
        case .invalidated: "Cache: what was stored is dropped"
        }
    }
}
