import Foundation

/// A request as the loopback server received it.
public struct LoopbackRequest: Sendable {
    /// The method.
    public let method: HTTPMethod
    /// The request target as it was sent: still percent-encoded, with the query.
    public let target: String
    /// The protocol version, `HTTP/1.1` or `HTTP/1.0`.
    public let version: String
    /// The header fields in order, spelt as they were sent.
    public let headers: HTTPHeaders
    /// The trailer fields of a chunked body (RFC 9112, section 7.1.2).
    public internal(set) var trailers: HTTPHeaders = [:]
    /// The content, chunked framing removed. Empty when bodies are discarded; a request that is answered early has here
    /// what has come so far.
    public internal(set) var body = Data()
    /// How many bytes of content were received, kept or not.
    public internal(set) var bodyCount: Int64 = 0
    /// Whether the whole message was received. False in a request that is answered early, until the rest has come.
    public internal(set) var isComplete = false
    /// The values of the `{names}` of the route's template, percent-decoded.
    public internal(set) var pathValues: [String: String] = [:]

    /// The number of the connection, from 1 in the order of acceptance: the same for requests that shared one.
    public let connection: Int
    /// The number of the request on its connection, from 1.
    public let numberOnConnection: Int
    /// The number of the request on its server, from 1: its place in ``LoopbackServer/requests``. 0 for a request that
    /// was cut off before it was handed to a handler.
    public internal(set) var number: Int = 0
    /// When the head had come in whole.
    public let arrival: ContinuousClock.Instant

    /// The bytes of the head, the empty line included.
    public let rawHead: Data
    /// The bytes after the head: for a chunked body the chunks as they were framed. Empty when bodies are discarded.
    public internal(set) var rawBody = Data()
    var discardedChecksum: LoopbackChecksum?

    /// The bytes of the whole message as they were received.
    public var raw: Data { rawHead + rawBody }

    /// The ``LoopbackChecksum`` of the content, kept or discarded.
    public var bodyChecksum: UInt64 { (discardedChecksum ?? LoopbackChecksum(of: body)).value }

    /// The body as text; bytes that are not UTF-8 become U+FFFD.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// Decodes the body as JSON.
    public func json<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: body)
    }
}

extension LoopbackRequest {
    /// The path, percent-decoded, without the query: `/books/año 1` for `/books/a%C3%B1o%201?x=1`.
    public var path: String { LoopbackTarget.decode(LoopbackTarget.path(of: target)) }

    /// The query as it was sent, without the question mark; nil when there is no question mark.
    public var rawQuery: String? { LoopbackTarget.query(of: target) }

    /// The pairs of the query in order, decoded as a form: percent-decoded, and `+` is a space. The value is nil for a
    /// name without `=`.
    public var queryItems: [URLQueryItem] { LoopbackTarget.formItems(rawQuery ?? "") }

    /// The first value of `name` in the query, decoded; nil when there is none.
    public func query(_ name: String) -> String? {
        queryItems.first { $0.name == name }?.value
    }

    /// The pairs of a form body (`application/x-www-form-urlencoded`) in order, decoded like ``queryItems``.
    public var formItems: [URLQueryItem] { LoopbackTarget.formItems(text) }

    /// The first value of `name` in a form body, decoded; nil when there is none.
    public func form(_ name: String) -> String? {
        formItems.first { $0.name == name }?.value
    }

    /// The value of a template name, `request["id"]` for a route of `/books/{id}`; nil when the template has no such
    /// name.
    public subscript(_ name: String) -> String? { pathValues[name] }
}

extension LoopbackRequest: CustomStringConvertible {
    /// The request line without the version, `GET /books?page=2`.
    public var description: String { "\(method) \(target)" }
}
