import Foundation

/// Reads the lines of a stream as bytes, a byte-order mark at the start left out.
struct LineReader: Sendable {
    private let chunks: StreamChunks.Iterator
    private var splitter: LineSplitter
    private var isAtEnd = false

    init(chunks: StreamChunks.Iterator, maximumLength: Int, splitsAtCR: Bool) {
        self.chunks = chunks
        splitter = LineSplitter(maximumLength: maximumLength, splitsAtCR: splitsAtCR)
    }

    /// The number of the line that was read last, from 1.
    var number: Int { splitter.count }

    /// The next line; leaves the caller's actor only where it has to wait.
    mutating func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
        while !isAtEnd {
            if let line = try splitter.next() { return trimmed(line) }
            if let chunk = try await chunks.lease.next() {
                splitter.append(chunk)
            } else {
                isAtEnd = true
            }
        }
        return try splitter.finish().map(trimmed)
    }

    private func trimmed(_ line: Data) -> Data { number == 1 ? line.withoutByteOrderMark : line }
}
