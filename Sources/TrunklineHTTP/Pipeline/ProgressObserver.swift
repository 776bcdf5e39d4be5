/// Hears how far the bodies of an exchange are. Called on a thread of the transport; must return at once.
public struct ProgressObserver: Sendable {
    /// The content sent so far, and the whole where it is known.
    public var sent: (@Sendable (TransferProgress) -> Void)?
    /// The content received so far, and the whole where it is known.
    public var received: (@Sendable (TransferProgress) -> Void)?

    /// Makes an observer of one or both directions.
    public init(
        sent: (@Sendable (TransferProgress) -> Void)? = nil, received: (@Sendable (TransferProgress) -> Void)? = nil
    ) {
        self.sent = sent
        self.received = received
    }
}
