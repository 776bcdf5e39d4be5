/// One request of a ``BearerAuthentication`` with a provider.
final class ProvidedTokenAttempt: AuthenticationAttempt {
    private let owner: BearerAuthentication
    private let provider: BearerAuthentication.Provider
    private let token = Protected<String?>(nil)

    init(owner: BearerAuthentication, provider: @escaping BearerAuthentication.Provider) {
        self.owner = owner
        self.provider = provider
    }

    func prepare() async throws {
        try await take(rejected: nil)
    }

    func apply(to request: inout HTTPRequest) {
        if let token = token.current { request.headers.set(.bearer(token)) }
    }

    func shouldReplay(after response: HTTPResponse) async throws -> Bool {
        guard response.statusCode == 401, let rejected = token.current else { return false }
        try await take(rejected: rejected)
        return token.current != rejected
    }

    private func take(rejected: String?) async throws {
        let new = try await AuthenticationScope.run(for: owner) { [provider] in try await provider(rejected) }
        token.withLock { $0 = new }
    }
}
