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
