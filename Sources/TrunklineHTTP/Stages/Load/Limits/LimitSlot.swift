/// One place under a session's ``RequestLimits``: given back once, at the latest when nobody holds it.
final class LimitSlot: Sendable {
    private let limiter: RequestLimiter
    private let origin: Origin
    private let isReleased = Protected(false)

    init(_ limiter: RequestLimiter, _ origin: Origin) {
        self.limiter = limiter
        self.origin = origin
    }

    deinit { release() }

    func release() {
        let isFirst = isReleased.withLock { isReleased in
            defer { isReleased = true }
            return !isReleased
        }
        if isFirst { limiter.release(origin) }
    }
}
