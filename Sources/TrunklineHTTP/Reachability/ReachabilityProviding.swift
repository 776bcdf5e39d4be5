/// Something that knows the ``NetworkPath``: ``NetworkReachability``, or a stub of a test.
public protocol ReachabilityProviding: Sendable {
    /// The path as it is now, as far as it is known.
    var path: NetworkPath { get }

    /// The path now and whenever it changes; a stream of its own for every caller, which ends when it is dropped.
    var paths: AsyncStream<NetworkPath> { get }
}
