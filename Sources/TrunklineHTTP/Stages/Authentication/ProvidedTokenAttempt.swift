/// One request of a ``BearerAuthentication`` with a provider.
final class ProvidedTokenAttempt: AuthenticationAttempt {
    private let owner: BearerAuthentication
    private let provider: BearerAuthentication.Provider
    private let events: EventReporter?
    private let token = Protected<String?>(nil)

    init(owner: BearerAuthentication, provider: @escaping BearerAuthentication.Provider, events: EventReporter?) {
        self.owner = owner
        self.provider = provider
        self.events = events
    }

    func prepare() async throws {
        try await take(rejected: nil)
    }

    func apply(to request: inout HTTPRequest) {
        if let token = token.current { request.headers.set(.bearer(token)) }
    }

    func shouldReplay(after response: HTTPResponse) async throws -> Bool {
        guard response.statusCode == 401, let rejected = token.current else { return false }
        try await events.refreshing { try await take(rejected: rejected) }
        return token.current != rejected
    }

    private func take(rejected: String?) async throws {
        let new = try await AuthenticationScope.run(for: owner) { [provider] in try await provider(rejected) }
        token.withLock { $0 = new }
    }
}
