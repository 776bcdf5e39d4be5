import TrunklineHTTP

/// Something that happened to a request, for its timeline.
struct TimelineNote: Sendable {
    enum Kind: Sendable {
        case created
        case suspended
        case resumed
        case cache(CacheEvent)
        case coalesced(with: RequestID)
        case waitStarted(Event.WaitReason)
        case waitEnded(Event.WaitReason, KeptFailure?)
        case refreshStarted
        case refreshEnded(KeptFailure?)
        case attemptStarted(Int)
        case responseHead(Int, status: Int)
        case attemptEnded(Int, bytes: Int64, KeptFailure?)
        case redirected(status: Int, method: String, url: String)
        case retryScheduled(reason: String, delay: Duration)
        case completed(status: Int?, KeptFailure?)
    }

    let time: ContinuousClock.Instant
    let kind: Kind
}
