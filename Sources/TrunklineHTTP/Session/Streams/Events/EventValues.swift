import Foundation

/// The data of events as JSON values; see ``EventStream/values(of:until:decoder:)``.
public struct EventValues<Value: Decodable & Sendable>: AsyncSequence, Sendable {
    public typealias Element = Value

    let events: EventStream
    let sentinel: String?
    let decoder: JSONDecoder

    /// Begins to read. Only the first iterator of a stream gets its events.
    public func makeAsyncIterator() -> Iterator {
        Iterator(events: events.makeAsyncIterator(), sentinel: sentinel, decoder: decoder)
    }

    /// Reads the values. Releasing it before the end closes the connection.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        var events: EventStream.Iterator
        let sentinel: String?
        let decoder: JSONDecoder
        var isOver = false

        /// The next value; nil after the last one.
        public mutating func next() async throws -> Value? {
            guard !isOver, let event = try await events.next() else { return nil }
            if event.data == sentinel {
                isOver = true
                return nil
            }
            return try event.decode(Value.self, using: decoder)
        }
    }
}
