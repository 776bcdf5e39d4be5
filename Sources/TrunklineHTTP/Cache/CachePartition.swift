/// Whose data a cache entry is: entries of one partition are never seen from another, and a partition can be cleared
/// by itself, at log-out.
///
/// Give every signed-in user a partition of the user's own, and every environment too (production and staging
/// answer the same paths differently).
public struct CachePartition: Hashable, Sendable {
    /// The user, by any identifier that stays the same between launches; nil for data of nobody in particular.
    public var user: String?
    /// The environment, such as `production`; nil where there is only one.
    public var environment: String?

    /// Makes a partition. Nil and an empty text are different partitions.
    public init(user: String? = nil, environment: String? = nil) {
        self.user = user
        self.environment = environment
    }

    /// The partition of no user and no environment: the default.
    public static let shared = CachePartition()

    /// The name of the partition's directory.
    var directoryName: String {
        var writer = ByteWriter(capacity: 64)
        encode(into: &writer)
        return SHA256Digest.hex(of: writer.bytes)
    }

    func encode(into writer: inout ByteWriter) {
        writer.field(optional: user)
        writer.field(optional: environment)
    }
}
