import Foundation

extension DataRequest {
    /// Waits for the response and decodes its content, off the caller's executor; see
    /// ``HTTPResponse/decode(_:at:using:emptyStatuses:)``.
    ///
    /// - Parameters:
    ///   - type: the type to decode; an optional one accepts an empty response.
    ///   - path: where in the content the value is, `data.items`; by default all of it.
    ///   - decoder: the decoder to use; by default a plain `JSONDecoder`.
    ///   - emptyStatuses: the statuses whose answers may be empty.
    /// - Throws: what ended the request, or ``HTTPError/emptyResponse(_:)`` or ``HTTPError/decoding(_:)``.
    public func value<Value: Decodable & Sendable>(
        of type: Value.Type = Value.self, at path: ContentPath? = nil, decoder: any DataDecoder = JSONDecoder(),
        emptyStatuses: Set<Int> = [204, 205]
    ) async throws(HTTPError) -> Value {
        try await response().decode(type, at: path, using: decoder, emptyStatuses: emptyStatuses)
    }

    /// Waits for the response and returns its content; empty where there was none.
    public func data() async throws(HTTPError) -> Data {
        try await response().data
    }

    /// Waits for the response and returns its content as text; see ``HTTPResponse/string(encoding:)``.
    public func string(encoding: String.Encoding? = nil) async throws(HTTPError) -> String {
        try await response().string(encoding: encoding)
    }

    /// Decodes the content off the callback's queue, then calls `handler` once.
    ///
    /// - Parameters:
    ///   - type: the type to decode; an optional one accepts an empty response.
    ///   - path: where in the content the value is; by default all of it.
    ///   - decoder: the decoder to use; by default a plain `JSONDecoder`.
    ///   - emptyStatuses: the statuses whose answers may be empty.
    ///   - queue: where the handler runs; by default the main queue.
    ///   - handler: hears the value or the error.
    @discardableResult
    public func onValue<Value: Decodable & Sendable>(
        of type: Value.Type = Value.self, at path: ContentPath? = nil, decoder: any DataDecoder = JSONDecoder(),
        emptyStatuses: Set<Int> = [204, 205], on queue: DispatchQueue = .main,
        _ handler: @escaping @Sendable (Result<Value, HTTPError>) -> Void
    ) -> Self {
        onDecoded(
            on: queue,
            { response throws(HTTPError) in
                try response.decode(type, at: path, using: decoder, emptyStatuses: emptyStatuses)
            }, handler)
    }
}
