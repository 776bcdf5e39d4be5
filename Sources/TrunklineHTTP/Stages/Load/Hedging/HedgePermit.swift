/// Leave to send one more attempt than the request was let through for; what it occupies is given back with it.
struct HedgePermit: Sendable {
    private let slot: LimitSlot?

    /// Leave that occupies nothing, or a place.
    init(slot: LimitSlot? = nil) { self.slot = slot }

    func release() { slot?.release() }
}
