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
