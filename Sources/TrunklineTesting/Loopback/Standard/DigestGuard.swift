import Foundation
import TrunklineHTTP

/// The server's side of Digest authentication (RFC 7616): MD5 and SHA-256, plain and `-sess`, `auth` and `auth-int`.
/// Written apart from the client's, so that it does not share its mistakes.
final class DigestGuard: Sendable {
    /// Who may come in, and how they have to prove it.
    struct Account: Sendable {
        var user: String
        var password: String
        /// `auth` or `auth-int`; anything else is both.
        var qop: String
        var algorithm: String
    }

    private let nonces = Protected<Set<String>>([])
    private let realm = "Loopback"

    /// What the request is refused with; nil when its credentials are right.
    func refusal(of request: LoopbackRequest, _ account: Account) -> LoopbackResponse? {
        guard ["MD5", "MD5-SESS", "SHA-256", "SHA-256-SESS"].contains(account.algorithm.uppercased()) else {
            return .text("The algorithm \"\(account.algorithm)\" is not spoken here.", status: 400)
        }
        let field = request.headers["Authorization"] ?? ""
        guard field.lowercased().hasPrefix("digest ") else { return challenge(account, isStale: false) }
        let pairs = HeaderParameters.all(in: String(field.dropFirst(7)))
        let values = Dictionary(pairs.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { _, last in last })
        guard values["response"] == expected(request, values, account), values["username"] == account.user,
            values["realm"] == realm, values["uri"] == request.target
        else { return challenge(account, isStale: false) }
        guard nonces.withLock({ $0.contains(values["nonce"] ?? "") }) else { return challenge(account, isStale: true) }
        return nil
    }

    private func challenge(_ account: Account, isStale: Bool) -> LoopbackResponse {
        let nonce = UUID().uuidString.lowercased()
        nonces.withLock { _ = $0.insert(nonce) }
        let qop = ["auth", "auth-int"].contains(account.qop) ? account.qop : "auth,auth-int"
        return .status(
            401,
            headers: [
                "WWW-Authenticate": "Digest realm=\"\(realm)\", nonce=\"\(nonce)\", qop=\"\(qop)\", "
                    + "opaque=\"5ccc069c403ebaf9f0171e9517f40e41\", algorithm=\(account.algorithm.uppercased())"
                    + (isStale ? ", stale=TRUE" : "")
            ])
    }

    /// The response the credentials must have; nil where a needed parameter is missing (RFC 7616, section 3.4).
    private func expected(_ request: LoopbackRequest, _ values: [String: String], _ account: Account) -> String? {
        guard let nonce = values["nonce"], let uri = values["uri"], let qop = values["qop"], let count = values["nc"],
            let cnonce = values["cnonce"], account.qop == qop || !["auth", "auth-int"].contains(account.qop)
        else { return nil }
        let algorithm = account.algorithm.uppercased()
        func hash(_ text: [UInt8]) -> String {
            algorithm.hasPrefix("SHA-256") ? SHA256Digest.hex(of: text) : MD5Digest.hex(of: text)
        }
        func hash(_ text: String) -> String { hash(Array(text.utf8)) }
        var first = hash("\(account.user):\(realm):\(account.password)")
        if algorithm.hasSuffix("-SESS") { first = hash("\(first):\(nonce):\(cnonce)") }
        var second = "\(request.method.rawValue):\(uri)"
        if qop == "auth-int" { second += ":" + hash(Array(request.body)) }
        return hash("\(first):\(nonce):\(count):\(cnonce):\(qop):\(hash(second))")
    }
}
