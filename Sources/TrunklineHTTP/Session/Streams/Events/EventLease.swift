/// Held by the iterator that reads: when it goes, nobody will read on.
final class EventLease: Sendable {
    private let request: DataRequest
    private let core: EventStreamCore
    private let isOwner: Bool

    init(_ stream: EventStream) {
        request = stream.request
        core = stream.core
        isOwner = core.channel.claim()
    }

    deinit {
        if isOwner { request.cancel() }
    }

    var isCancelled: Bool {
        if case .cancelled? = request.failure { true } else { false }
    }

    func next() async throws -> [ServerSentEvent]? {
        guard isOwner else { throw StreamFailures.secondConsumer }
        let request = request
        return try await core.channel.next { request.cancel() }
    }
}
