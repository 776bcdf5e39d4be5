/// The hash of a Digest challenge (RFC 7616, section 3.3).
enum DigestAlgorithm: Sendable {
    case md5, md5Session, sha256, sha256Session

    /// The algorithm of this name, in any case; MD5 where there is none; nil for others, SHA-512-256 among them, which is
    /// not to be had everywhere.
    init?(_ name: String?) {
        switch name?.lowercased() {
        case nil, "md5": self = .md5
        case "md5-sess": self = .md5Session
        case "sha-256": self = .sha256
        case "sha-256-sess": self = .sha256Session
        default: return nil
        }
    }

    /// Whether the first hash is made once for a nonce of each side and used from then on.
    var isSession: Bool { self == .md5Session || self == .sha256Session }

    /// The stronger, the larger.
    var strength: Int { self == .md5 || self == .md5Session ? 0 : 1 }

    /// The hash of the text's UTF-8 as hexadecimal digits.
    func hash(_ text: String) -> String {
        let bytes = Array(text.utf8)
        return strength == 0 ? MD5Digest.hex(of: bytes) : SHA256Digest.hex(of: bytes)
    }
}
