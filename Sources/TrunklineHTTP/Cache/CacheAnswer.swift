/// How a stored entry answers a request.
public struct CacheAnswer: Hashable, Sendable {
    /// What of the entry is given.
    public enum Form: Hashable, Sendable {
        /// All of it.
        case whole
        /// The bytes at these offsets of the stored content, as a 206 (RFC 9111, section 3.4). The place of the first one in
        /// the whole is `first`.
        case part(Range<Int64>, first: Int64, total: Int64?)
        /// A 304: the caller has it already, and said so with conditions of its own (section 4.3.2).
        case notModified
    }

    /// What of the entry is given.
    public var form: Form
    /// Whether it is stale, and given for all that.
    public var isStale: Bool
    /// Whether the server is asked in the background.
    public var refreshes: Bool

    /// Makes an answer; by default the whole entry, fresh.
    public init(_ form: Form = .whole, isStale: Bool = false, refreshes: Bool = false) {
        self.form = form
        self.isStale = isStale
        self.refreshes = refreshes
    }
}
