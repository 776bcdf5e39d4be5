/// How far a body is.
public struct TransferProgress: Hashable, Sendable {
    /// Bytes moved so far: as sent for a request, as decoded for a response.
    public var completed: Int64
    /// Bytes in all, or nil while unknown: no `Content-Length`, or a content coding that makes it count something else
    /// (RFC 9110, section 8.6).
    public var total: Int64?

    /// Makes a progress value.
    public init(completed: Int64, total: Int64?) {
        self.completed = completed
        self.total = total
    }

    /// The part done, 0 to 1 and never above, or nil while the total is unknown. A body of zero bytes is done.
    public var fraction: Double? {
        guard let total else { return nil }
        return total > 0 ? min(1, Double(completed) / Double(total)) : 1
    }
}
