/// A Digest challenge that can be answered (RFC 7616, section 3.3).
struct DigestChallenge: Hashable, Sendable {
    let realm: String
    let nonce: String
    let opaque: String?
    /// The algorithm's name as the server wrote it, or nil where it named none.
    let algorithmName: String?
    let algorithm: DigestAlgorithm
    /// Whether the server knows the quality of protection `auth`; servers older than RFC 2617 know none.
    let hasQuality: Bool
    /// Whether only the nonce was refused, and not the password.
    let isStale: Bool

    /// The challenge, or nil when it is another scheme's, incomplete, or asks for what isn't supported: an unknown
    /// algorithm, or `auth-int` alone.
    init?(_ challenge: AuthenticationChallenge) {
        guard challenge.isScheme("Digest"), let realm = challenge.realm, let nonce = challenge["nonce"],
            let algorithm = DigestAlgorithm(challenge["algorithm"])
        else { return nil }
        if let quality = challenge["qop"] {
            let offered = quality.split { $0 == "," || $0 == " " || $0 == "\t" }
            guard offered.contains(where: { HTTPHeaders.equal(String($0), "auth") }) else { return nil }
        }
        self.realm = realm
        self.nonce = nonce
        self.algorithm = algorithm
        opaque = challenge["opaque"]
        algorithmName = challenge["algorithm"]
        hasQuality = challenge["qop"] != nil
        isStale = challenge["stale"].map { HTTPHeaders.equal($0, "true") } ?? false
    }

    /// The strongest of the challenges that can be answered; among equals the first, which the server prefers
    /// (section 3.7).
    static func strongest(of challenges: [AuthenticationChallenge]) -> DigestChallenge? {
        challenges.compactMap { DigestChallenge($0) }.reduce(nil) { best, next in
            guard let best else { return next }
            return next.algorithm.strength > best.algorithm.strength ? next : best
        }
    }
}
