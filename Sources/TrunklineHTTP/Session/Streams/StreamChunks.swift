import Foundation

/// The content of a ``StreamRequest`` in the pieces it arrives in; see ``StreamRequest/chunks``.
///
/// Errors are ``HTTPError``.
public struct StreamChunks: AsyncSequence, Sendable {
    public typealias Element = Data

    let stream: StreamRequest

    /// Begins to read. Only the first iterator of a stream gets its content.
    public func makeAsyncIterator() -> Iterator { Iterator(lease: StreamLease(stream)) }

    /// Reads the chunks. Releasing it before the end cancels the request.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        let lease: StreamLease

        /// Asks for the next chunk and waits for it; nil after the last one. Cancelling the task cancels the request.
        public mutating func next() async throws -> Data? { try await lease.next() }
    }
}

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
