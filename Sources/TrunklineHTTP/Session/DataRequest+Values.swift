import Foundation

extension DataRequest {
    /// Waits for the response and decodes its JSON content.
    ///
    /// - Parameters:
    ///   - type: the type to decode; an optional one accepts an empty response.
    ///   - decoder: the decoder to use.
    /// - Throws: what ended the request, or ``HTTPError/emptyResponse(_:)`` or ``HTTPError/decoding(_:)``.
    public func value<Value: Decodable & Sendable>(
        of type: Value.Type = Value.self, decoder: JSONDecoder = JSONDecoder()
    ) async throws(HTTPError) -> Value {
        try await response().decode(type, using: decoder)
    }

    /// Waits for the response and returns its content; empty where there was none.
    public func data() async throws(HTTPError) -> Data {
        try await response().data
    }

    /// Waits for the response and returns its content as text; see ``HTTPResponse/string(encoding:)``.
    public func string(encoding: String.Encoding? = nil) async throws(HTTPError) -> String {
        try await response().string(encoding: encoding)
    }

    /// Decodes the JSON content off the callback's queue, then calls `handler` once.
    ///
    /// - Parameters:
    ///   - type: the type to decode; an optional one accepts an empty response.
    ///   - decoder: the decoder to use.
    ///   - queue: where the handler runs; by default the main queue.
    ///   - handler: hears the value or the error.
    @discardableResult
    public func onValue<Value: Decodable & Sendable>(
        of type: Value.Type = Value.self, decoder: JSONDecoder = JSONDecoder(), on queue: DispatchQueue = .main,
        _ handler: @escaping @Sendable (Result<Value, HTTPError>) -> Void
    ) -> Self {
        onDecoded(on: queue, { response throws(HTTPError) in try response.decode(type, using: decoder) }, handler)
    }
}
