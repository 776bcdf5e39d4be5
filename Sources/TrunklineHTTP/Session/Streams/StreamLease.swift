import Foundation

/// Held by the iterator that reads: when it goes, nobody will read on.
final class StreamLease: Sendable {
    private let request: DataRequest
    private let channel: StreamChannel<Data>
    private let isOwner: Bool

    init(_ stream: StreamRequest) {
        request = stream.request
        channel = stream.body.channel
        isOwner = channel.claim()
    }

    deinit {
        if isOwner { request.cancel() }
    }

    func next() async throws -> Data? {
        guard isOwner else { throw StreamFailures.secondConsumer }
        let request = request
        return try await channel.next { request.cancel() }
    }
}
