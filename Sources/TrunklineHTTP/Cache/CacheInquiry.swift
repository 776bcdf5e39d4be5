/// How the server is asked.
public struct CacheInquiry: Hashable, Sendable {
    /// Why.
    public var forward: CacheStatus.Forward
    /// Whether the answer may be stored.
    public var stores: Bool
    /// Whether it is asked about the entry (RFC 9111, section 4.3.1).
    public var validates: Bool
    /// From which byte on the content is asked for, where the entry has those before (section 3.4).
    public var completesFrom: Int64?
    /// Whether caches on the way are told to ask the server, too (section 5.2.1.4).
    public var forces: Bool

    /// Makes an inquiry; by default the plain request, whose answer is not stored.
    public init(
        _ forward: CacheStatus.Forward, stores: Bool = false, validates: Bool = false, completesFrom: Int64? = nil,
        forces: Bool = false
    ) {
        self.forward = forward
        self.stores = stores
        self.validates = validates
        self.completesFrom = completesFrom
        self.forces = forces
    }
}
