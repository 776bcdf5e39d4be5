/// One request of a ``DigestAuthentication``: remembers the nonce it was sent with.
final class DigestAttempt: AuthenticationAttempt {
    private struct State: Sendable {
        var nonce: String?
        /// How many answers have come; the second is the replay's.
        var answers = 0
    }

    private let owner: DigestAuthentication
    private let origin: Origin
    private let state = Protected(State())

    init(owner: DigestAuthentication, origin: Origin) {
        self.owner = owner
        self.origin = origin
    }

    func apply(to request: inout HTTPRequest) {
        let proof = owner.authorization(for: request, to: origin)
        if let proof { request.headers.set(.authorization(proof.value)) }
        state.withLock { $0.nonce = proof?.nonce }
    }

    func receive(_ response: HTTPResponse) {
        let (nonce, answers) = state.withLock { state in
            state.answers += 1
            return (state.nonce, state.answers)
        }
        guard let nonce else { return }
        if response.statusCode != 401 {
            let info = response.headers["Authentication-Info"].map { AuthenticationChallenge.parseParameters($0) }
            owner.accept(info?.first { HTTPHeaders.equal($0.name, "nextnonce") }?.value, from: origin)
        } else if answers > 1, challenge(in: response)?.isStale != true {
            owner.refuse(nonce, from: origin)
        }
    }

    func shouldReplay(after response: HTTPResponse) async throws -> Bool {
        guard response.statusCode == 401, let challenge = challenge(in: response) else { return false }
        return owner.adopt(challenge, from: origin, used: state.current.nonce)
    }

    private func challenge(in response: HTTPResponse) -> DigestChallenge? {
        DigestChallenge.strongest(of: response.headers.challenges)
    }
}
