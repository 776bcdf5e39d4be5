import Foundation

extension EventStream {
    /// The data of the events as JSON values.
    ///
    /// ```swift
    /// for try await token in session.events(question).values(of: Token.self, until: "[DONE]") { show(token) }
    /// ```
    ///
    /// - Parameters:
    ///   - type: the type of the values.
    ///   - sentinel: the data that says that no more comes, at which the sequence ends; nil for none.
    ///   - decoder: the decoder to use, off any actor.
    /// - Returns: a sequence of one consumer, like the stream itself. Data that is no such value ends it with
    ///   ``HTTPError/decoding(_:)``.
    public func values<Value: Decodable & Sendable>(
        of type: Value.Type = Value.self, until sentinel: String? = nil, decoder: JSONDecoder = JSONDecoder()
    ) -> EventValues<Value> {
        EventValues(events: self, sentinel: sentinel, decoder: decoder)
    }
}

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
