import Foundation

/// Digest authentication (RFC 7616): proves the password without sending it.
///
/// The first request to an origin goes out without a proof; its 401 brings the challenge, and the request is sent again with
/// the answer. Later requests bring the proof with them, each with the next count of the server's nonce. A nonce that has
/// gone stale is replaced without asking anybody, and so is one the server announces in `Authentication-Info`. A refused
/// password is the server's 401.
///
/// MD5, MD5-sess, SHA-256 and SHA-256-sess are answered, the strongest the server offers, with the quality of protection
/// `auth`, or none for servers that know none. Challenges with SHA-512-256 or `auth-int` alone are left as they are. User
/// name and password are hashed in UTF-8, in normalization form C; the user name is not hashed (`userhash`).
///
/// Redirects, retries and replays within the origin each bring a proof of their own. Safe to use from any thread.
public final class DigestAuthentication: Authentication {
    public let origins: Set<Origin>
    private let username: String
    private let password: String
    private let makeClientNonce: @Sendable () -> String
    private let sessions = Protected<[Origin: DigestSession]>([:])

    /// Makes an authentication.
    ///
    /// - Parameters:
    ///   - username: the user name.
    ///   - password: the password.
    ///   - origins: the servers that may be answered, `["http://192.168.1.20"]`.
    public convenience init(username: String, password: String, origins: Set<Origin>) {
        self.init(username: username, password: password, origins: origins) {
            Hexadecimal.text(of: (0..<16).map { _ in UInt8.random(in: .min ... .max) })
        }
    }

    /// The same, with the client's nonces given.
    init(
        username: String, password: String, origins: Set<Origin>, clientNonce: @escaping @Sendable () -> String
    ) {
        self.username = username.precomposedStringWithCanonicalMapping
        self.password = password.precomposedStringWithCanonicalMapping
        self.origins = origins
        makeClientNonce = clientNonce
    }

    public func attempt(
        for request: HTTPRequest, using sender: AuthenticationSender
    ) -> (any AuthenticationAttempt)? {
        DigestAttempt(owner: self, origin: Origin(request.url))
    }

    // MARK: - For the attempts

    /// The field for a request, with the nonce it uses; nil before the first challenge.
    func authorization(for request: HTTPRequest, to origin: Origin) -> (value: String, nonce: String)? {
        let method = request.method.rawValue
        let target = Self.target(of: request.url)
        return sessions.withLock { sessions in
            guard let value = sessions[origin]?.authorization(method: method, target: target),
                let nonce = sessions[origin]?.nonce
            else { return nil }
            return (value, nonce)
        }
    }

    /// The server has accepted the password; it may want to see another nonce next.
    func accept(_ nextNonce: String?, from origin: Origin) {
        sessions.withLock { sessions in
            sessions[origin]?.isProven = true
            if let nextNonce { sessions[origin]?.take(nextNonce: nextNonce) }
        }
    }

    /// The server has refused the proof with a fresh nonce: the password is wrong by now, and the next request begins anew.
    func refuse(_ nonce: String, from origin: Origin) {
        sessions.withLock { sessions in
            if sessions[origin]?.nonce == nonce { sessions[origin] = nil }
        }
    }

    /// Whether a refused request is worth sending again: with the challenge just received, or one that another request has
    /// received meanwhile.
    ///
    /// - Parameter used: the nonce of the request's proof, or nil where it had none.
    func adopt(_ challenge: DigestChallenge, from origin: Origin, used: String?) -> Bool {
        let clientNonce = makeClientNonce()
        return sessions.withLock { sessions in
            let current = sessions[origin]
            var isProven = false
            if let current, current.challenge.realm == challenge.realm {
                if current.nonce != used { return true }
                guard challenge.isStale || current.isProven else {
                    sessions[origin] = nil
                    return false
                }
                isProven = current.isProven
            }
            sessions[origin] = DigestSession(
                challenge, username: username, password: password, clientNonce: clientNonce, isProven: isProven)
            return true
        }
    }

    /// Path and query, as they go on the wire.
    private static func target(of url: URL) -> String {
        let parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        let path = parts?.percentEncodedPath ?? ""
        return (path.isEmpty ? "/" : path) + (parts?.percentEncodedQuery.map { "?" + $0 } ?? "")
    }
}
