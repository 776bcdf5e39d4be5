import Foundation

/// How secure connections are made and who is trusted. The server's certificate and name are always verified: there is no
/// switch for that.
public struct TLSConfiguration: Sendable {
    /// Who may vouch for servers.
    public enum Trust: Hashable, Sendable {
        /// The system's roots.
        case system
        /// The roots in this PEM file, instead of the system's.
        case caFile(URL)
        /// The roots in this PEM text, instead of the system's.
        case caPEM(Data)
    }

    /// What the client shows when a server asks who it is.
    public enum ClientIdentity: Hashable, Sendable {
        /// A certificate (with its chain) and its key, in PEM files.
        case pemFiles(certificate: URL, key: URL, password: String? = nil)
        /// A PKCS #12 file with both.
        case pkcs12File(URL, password: String? = nil)
    }

    /// The versions that can be asked for.
    public enum Version: Hashable, Sendable {
        case tls12, tls13
    }

    /// Who may vouch for servers; by default the system's roots.
    public var trust: Trust
    /// Public keys a server must have, on top of a valid certificate: per host pattern (`api.example.com`, or
    /// `*.example.com` for one label more), the base64 SHA-256 of the SubjectPublicKeyInfo, any of which will do.
    ///
    /// All patterns that match a host count together; a pattern with no valid pin refuses every connection to its hosts.
    public var pins: [String: [String]]
    /// The client's certificate, or nil for none.
    public var clientIdentity: ClientIdentity?
    /// The oldest version accepted; by default 1.2.
    public var minimumVersion: Version

    /// Makes a configuration.
    public init(
        trust: Trust = .system, pins: [String: [String]] = [:], clientIdentity: ClientIdentity? = nil,
        minimumVersion: Version = .tls12
    ) {
        self.trust = trust
        self.pins = pins
        self.clientIdentity = clientIdentity
        self.minimumVersion = minimumVersion
    }
}
