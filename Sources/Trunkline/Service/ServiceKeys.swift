/// The key pair of an environment, for signing.
public struct ServiceKeys: Hashable, Sendable, CustomStringConvertible {
    /// The public half; empty when the service has none.
    public let publicKey: String
    /// The private half; empty when the service has none.
    public let privateKey: String

    /// Makes a pair.
    public init(publicKey: String, privateKey: String) {
        self.publicKey = publicKey
        self.privateKey = privateKey
    }

    /// The public half alone, so that a pair may be logged.
    public var description: String { "public key \(publicKey)" }
}
