import Foundation

/// The content of a ``StreamRequest`` as lines of text; see ``StreamRequest/lines``.
///
/// A line ends with LF, CR LF or CR, as in an event stream; the end is not part of it. A last line without an end counts, an
/// empty rest doesn't. The text is UTF-8: a byte-order mark at the very start is skipped, and bytes that are not UTF-8
/// become U+FFFD. Characters that lie across chunks stay whole.
///
/// Errors are ``HTTPError``.
public struct StreamLines: AsyncSequence, Sendable {
    public typealias Element = String

    /// The most bytes of a line unless something else is asked for: 1 MB.
    public static let defaultMaximumLength = 1 << 20

    let chunks: StreamChunks
    let maximumLength: Int

    /// Begins to read. Only the first iterator of a stream gets its content.
    public func makeAsyncIterator() -> Iterator {
        Iterator(lines: LineReader(chunks: chunks.makeAsyncIterator(), maximumLength: maximumLength, splitsAtCR: true))
    }

    /// Reads the lines. Releasing it before the end cancels the request.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        var lines: LineReader

        /// The next line; nil after the last one. Leaves the caller's actor only where it has to wait.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> String? {
            guard let line = try await lines.next(isolation: actor) else { return nil }
            return String(decoding: line, as: UTF8.self)
        }

        /// The next line; nil after the last one.
        public mutating func next() async throws -> String? { try await next(isolation: nil) }
    }
}
