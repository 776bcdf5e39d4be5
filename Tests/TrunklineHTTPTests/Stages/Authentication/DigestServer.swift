import Foundation
import TrunklineTesting

@testable import TrunklineHTTP

/// A server that wants Digest, and is strict: it knows its nonces, and takes each count once.
final class DigestServer: Sendable {
    struct State: Sendable {
        var nonces: [String: Set<String>] = [:]
        var issued = 0
        /// How many proofs a nonce is good for.
        var uses = Int.max
        var password = "secret"
        var saysStale = true
        var announcesNext = false
        var refusals: [String] = []
    }

    let state = Protected(State())
    let server: LoopbackServer
    let algorithm: String

    init(algorithm: String = "SHA-256", uses: Int = .max) throws {
        self.algorithm = algorithm
        state.withLock { $0.uses = uses }
        server = try LoopbackServer()
        let answer: @Sendable (LoopbackRequest) -> LoopbackResponse = { [weak self] request in
            self?.answer(request) ?? .status(500)
        }
        server.route(nil, "/moved") { request in
            let response = answer(request)
            return response.status == 200 ? .redirect(to: "/there?x=%20y", status: 307) : response
        }
        server.fallback { answer($0) }
    }

    private func answer(_ request: LoopbackRequest) -> LoopbackResponse {
        state.withLock { state in
            guard let authorization = request.headers["Authorization"],
                let proof = AuthenticationChallenge.parse(authorization).first
            else { return challenge(&state, stale: false, why: "no proof") }
            guard let nonce = proof["nonce"], let count = proof["nc"], let used = state.nonces[nonce] else {
                return challenge(&state, stale: true, why: "unknown nonce")
            }
            guard proof["uri"] == request.target else { return .text("another uri", status: 400) }
            guard !used.contains(count) else { return .text("a count used twice", status: 400) }
            let hash: (String) -> String = { [algorithm] text in
                algorithm.hasPrefix("MD5")
                    ? MD5Digest.hex(of: Array(text.utf8)) : SHA256Digest.hex(of: Array(text.utf8))
            }
            let first = hash("user:the realm:\(state.password)")
            let second = hash("\(request.method.rawValue):\(request.target)")
            let expected = hash("\(first):\(nonce):\(count):\(proof["cnonce"] ?? ""):auth:\(second)")
            guard proof["response"] == expected, proof["username"] == "user" else {
                return challenge(&state, stale: false, why: "wrong password")
            }
            guard used.count < state.uses else { return challenge(&state, stale: state.saysStale, why: "stale") }
            state.nonces[nonce]?.insert(count)
            var response = LoopbackResponse.text("yes")
            if state.announcesNext {
                response = response.header("Authentication-Info", "nextnonce=\"\(Self.escaped(issue(&state)))\"")
            }
            return response
        }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    }

    private func issue(_ state: inout State) -> String {
        state.issued += 1
        let nonce = "nonce \(state.issued), \"\\=="
        state.nonces[nonce] = []
        return nonce
    }

    private func challenge(_ state: inout State, stale: Bool, why: String) -> LoopbackResponse {
        state.refusals.append(why)
        let nonce = Self.escaped(issue(&state))
        return .text("no", status: 401)
            .addingHeader("WWW-Authenticate", "Basic realm=\"other\", Digest realm=x, nonce=y, algorithm=SHA-512-256")
            .addingHeader(
                "WWW-Authenticate",
                "Digest realm=\"the realm\", qop=\"auth,auth-int\", algorithm=\(algorithm), nonce=\"\(nonce)\", "
                    + "opaque=\"o\"\(stale ? ", stale=TRUE" : "")")
    }

    var refusals: [String] { state.withLock { $0.refusals } }

    func session(_ kind: TransportKind, password: String = "secret", retry: RetryPolicy = .never) -> SessionManager {
        SessionManager.with(
            DigestAuthentication(username: "user", password: password, origins: [Origin(server.baseURL)]),
            transport: kind.make(), retry: retry)
    }
}
