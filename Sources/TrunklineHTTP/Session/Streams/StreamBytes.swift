import Foundation

/// The content of a ``StreamRequest`` byte by byte; see ``StreamRequest/bytes``.
///
/// Errors are ``HTTPError``.
public struct StreamBytes: AsyncSequence, Sendable {
    public typealias Element = UInt8

    let chunks: StreamChunks

    /// Begins to read. Only the first iterator of a stream gets its content.
    public func makeAsyncIterator() -> Iterator { Iterator(chunks: chunks.makeAsyncIterator()) }

    /// Reads the bytes. Releasing it before the end cancels the request.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        private let chunks: StreamChunks.Iterator
        private var chunk = Data()
        private var position = 0

        init(chunks: StreamChunks.Iterator) { self.chunks = chunks }

        /// The next byte; nil after the last one. Leaves the caller's actor only where it has to wait.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> UInt8? {
            while position >= chunk.endIndex {
                guard let next = try await chunks.lease.next() else { return nil }
                chunk = next
                position = next.startIndex
            }
            defer { position += 1 }
            return chunk[position]
        }

        /// The next byte; nil after the last one.
        public mutating func next() async throws -> UInt8? { try await next(isolation: nil) }
    }
}
