import Foundation

/// What a server's challenge and the answers to it have in common: the nonce, its counter, the first hash.
struct DigestSession: Sendable {
    let challenge: DigestChallenge
    private(set) var nonce: String
    /// Whether the server has accepted the password in this realm.
    var isProven: Bool
    private let username: String
    private let clientNonce: String
    private let firstHash: String
    private var count: UInt32 = 0

    /// Begins with the challenge.
    ///
    /// - Parameters:
    ///   - clientNonce: the client's own nonce, used with all answers; their counter makes them differ.
    ///   - isProven: whether the server is known to accept the password in this realm.
    init(_ challenge: DigestChallenge, username: String, password: String, clientNonce: String, isProven: Bool) {
        self.challenge = challenge
        self.isProven = isProven
        self.clientNonce = clientNonce
        self.username = username
        nonce = challenge.nonce
        let secret = challenge.algorithm.hash("\(username):\(challenge.realm):\(password)")
        // A session algorithm hashes the nonces of its first answer in, and keeps the hash with later ones (3.4.2).
        firstHash =
            challenge.algorithm.isSession
            ? challenge.algorithm.hash("\(secret):\(challenge.nonce):\(clientNonce)") : secret
    }

    /// Takes the nonce the server wants to see next (section 3.5).
    mutating func take(nextNonce: String) {
        guard nextNonce != nonce else { return }
        nonce = nextNonce
        count = 0
    }

    /// The value of `Authorization` for the next request (section 3.4).
    ///
    /// - Parameters:
    ///   - method: the request's method.
    ///   - target: path and query, as they go on the wire.
    mutating func authorization(method: String, target: String) -> String {
        count &+= 1
        let digits = String(count, radix: 16)
        let counter = String(repeating: "0", count: 8 - digits.count) + digits
        let algorithm = challenge.algorithm
        let secondHash = algorithm.hash("\(method):\(target)")
        let middle = challenge.hasQuality ? "\(nonce):\(counter):\(clientNonce):auth" : nonce
        let response = algorithm.hash("\(firstHash):\(middle):\(secondHash)")

        var fields = [
            Self.usernameField(username), "realm=\(Self.quoted(challenge.realm))", "uri=\(Self.quoted(target))",
            "nonce=\(Self.quoted(nonce))", "response=\"\(response)\"",
        ]
        if let name = challenge.algorithmName { fields.append("algorithm=\(name)") }
        if challenge.hasQuality { fields += ["qop=auth", "nc=\(counter)", "cnonce=\(Self.quoted(clientNonce))"] }
        if let opaque = challenge.opaque { fields.append("opaque=\(Self.quoted(opaque))") }
        return "Digest " + fields.joined(separator: ", ")
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    /// The user name as a quoted string, or in the extended notation where that can't carry it (section 3.4.4).
    private static func usernameField(_ name: String) -> String {
        if name.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return "username=\(quoted(name))" }
        let escaped = name.utf8.map { byte -> String in
            HTTPToken.isTokenByte(byte) && !"*'%".utf8.contains(byte)
                ? String(UnicodeScalar(byte)) : "%" + Hexadecimal.text(of: [byte]).uppercased()
        }
        return "username*=UTF-8''" + escaped.joined()
    }
}
