/// Why a secure connection failed.
public struct TLSFailure: Hashable, Sendable {
    /// The kinds of failure that are told apart.
    public enum Reason: String, Hashable, Sendable {
        /// The certificate is not trusted: unknown issuer, expired, revoked.
        case untrustedCertificate
        /// The certificate is not for this host.
        case hostMismatch
        /// No pin of the host matches the server's public key.
        case pinMismatch
        /// The server asked for a client certificate that was missing or refused.
        case clientCertificate
        /// The handshake failed: no common version or cipher, or a peer that speaks no TLS.
        case handshake
        /// A certificate, key or CA file of the configuration can't be used.
        case configuration
    }

    /// What kind of failure it is.
    public var reason: Reason
    /// What the TLS library said.
    public var detail: String

    /// Makes the description of a failure.
    public init(reason: Reason, detail: String) {
        self.reason = reason
        self.detail = detail
    }
}
