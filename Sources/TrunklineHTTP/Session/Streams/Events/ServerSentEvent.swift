import Foundation

/// One event of an event stream (WHATWG HTML, section 9.2.6).
public struct ServerSentEvent: Hashable, Sendable {
    /// The last event ID when the event was dispatched: its own, or that of an earlier event; empty for none.
    public var id: String
    /// The type, `message` where the event named none.
    public var event: String
    /// The data, the lines joined by LF.
    public var data: String
    /// The reconnection time that came with this event; nil for none.
    public var retry: Duration?

    /// Makes an event.
    public init(id: String = "", event: String = "message", data: String, retry: Duration? = nil) {
        self.id = id
        self.event = event
        self.data = data
        self.retry = retry
    }

    /// Decodes the data as JSON.
    ///
    /// - Throws: ``HTTPError/decoding(_:)`` when it is not a `type`.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, using decoder: JSONDecoder = JSONDecoder()
    ) throws(HTTPError) -> Value {
        do {
            return try decoder.decode(type, from: Data(data.utf8))
        } catch {
            throw .decoding(DecodingFailure(type: String(describing: type), error: error, response: nil))
        }
    }
}
