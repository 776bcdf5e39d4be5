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
        private var chunks: StreamChunks.Iterator
        private var chunk = Data()
        private var position = 0

        init(chunks: StreamChunks.Iterator) { self.chunks = chunks }

        /// The next byte; nil after the last one.
        public mutating func next() async throws -> UInt8? {
            if position >= chunk.endIndex {
                guard let next = try await chunks.next() else { return nil }
                chunk = next
                position = next.startIndex
                guard position < chunk.endIndex else { return nil }
            }
            defer { position += 1 }
            return chunk[position]
        }
    }
}
