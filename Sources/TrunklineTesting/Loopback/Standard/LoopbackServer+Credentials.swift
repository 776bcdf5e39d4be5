import Foundation
import TrunklineHTTP

extension LoopbackServer {
    func addCredentialRoutes() {
        for (path, status) in [("basic-auth", 401), ("hidden-basic-auth", 404)] {
            route(nil, "/\(path)/{user}/{password}") { request in
                let (user, password) = (request["user"] ?? "", request["password"] ?? "")
                guard request.hasBasicCredentials(user: user, password: password) else {
                    return status == 404 ? .status(404) : .basicChallenge()
                }
                return .json(Accepted(user: user))
            }
        }
        route(nil, "/bearer") { request in
            guard let token = request.bearerToken else {
                return .status(401, headers: ["WWW-Authenticate": "Bearer"])
            }
            return .json(Accepted(token: token))
        }
        let guardian = DigestGuard()
        for path in ["/digest-auth/{qop}/{user}/{password}", "/digest-auth/{qop}/{user}/{password}/{algorithm}"] {
            route(nil, path) { request in
                let account = DigestGuard.Account(
                    user: request["user"] ?? "", password: request["password"] ?? "",
                    qop: request["qop"] ?? "auth", algorithm: request["algorithm"] ?? "MD5")
                if let refusal = guardian.refusal(of: request, account) { return refusal }
                return .json(Accepted(user: account.user))
            }
        }
    }
}

/// httpbin's word for a good credential.
private struct Accepted: Encodable {
    var authenticated = true
    var user: String?
    var token: String?
}

extension LoopbackRequest {
    /// Whether the request has these credentials in Basic form (RFC 7617).
    public func hasBasicCredentials(user: String, password: String) -> Bool {
        let parts = (headers["Authorization"] ?? "").split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "basic" else { return false }
        return Data(base64Encoded: String(parts[1])) == Data("\(user):\(password)".utf8)
    }

    /// The token of `Authorization: Bearer` (RFC 6750); nil without one.
    public var bearerToken: String? {
        let parts = (headers["Authorization"] ?? "").split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer", !parts[1].isEmpty else { return nil }
        return String(parts[1])
    }
}

extension LoopbackResponse {
    /// 401 with a Basic challenge.
    public static func basicChallenge(realm: String = "Loopback") -> LoopbackResponse {
        .status(401, headers: ["WWW-Authenticate": "Basic realm=\"\(realm)\", charset=\"UTF-8\""])
    }
}
