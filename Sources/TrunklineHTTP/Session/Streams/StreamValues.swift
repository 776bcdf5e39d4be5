import Foundation

/// The content of a ``StreamRequest`` as JSON values, one a line; see
/// ``StreamRequest/values(of:decoder:invalidLines:maximumLineLength:)``.
///
/// Lines end with LF or CR LF (CR alone is white space in JSON). Lines of white space are skipped. The values are decoded
/// in the iterator's `next()`, which runs on no actor: a consumer on the main actor isn't held up.
///
/// Errors are ``HTTPError``; a line that is no such value is ``HTTPError/decoding(_:)`` with the line's number in
/// ``DecodingFailure/line``.
public struct StreamValues<Value: Decodable & Sendable>: AsyncSequence, Sendable {
    public typealias Element = Value

    let chunks: StreamChunks
    let decoder: JSONDecoder
    let policy: InvalidLinePolicy
    let maximumLength: Int

    /// Begins to read. Only the first iterator of a stream gets its content.
    public func makeAsyncIterator() -> Iterator {
        Iterator(
            lines: LineReader(chunks: chunks.makeAsyncIterator(), maximumLength: maximumLength, splitsAtCR: false),
            decoder: decoder, policy: policy)
    }

    /// Reads the values. Releasing it before the end cancels the request.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        var lines: LineReader
        let decoder: JSONDecoder
        let policy: InvalidLinePolicy

        /// The next value; nil after the last one.
        public mutating func next() async throws -> Value? {
            while let line = try await lines.next(isolation: nil) {
                if line.allSatisfy(isJSONSpace) { continue }
                do {
                    return try decoder.decode(Value.self, from: line)
                } catch {
                    var failure = DecodingFailure(type: String(describing: Value.self), error: error, response: nil)
                    failure.line = lines.number
                    guard case .skip(let report) = policy else { throw HTTPError.decoding(failure) }
                    report(InvalidLine(content: Data(line), failure: failure))
                }
            }
            return nil
        }
    }
}

private func isJSONSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
