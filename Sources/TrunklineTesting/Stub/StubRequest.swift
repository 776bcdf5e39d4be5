import Foundation
import TrunklineHTTP

/// A request as a ``StubTransport`` received it, its content read to the end.
public struct StubRequest: Sendable {
    /// The request as it reached the transport.
    public let request: HTTPRequest
    /// The identity of the logical request; the same in every attempt.
    public let id: RequestID
    /// The attempt, 1 for the first.
    public let attempt: Int
    /// The content's bytes, whatever they came from: data, a file, a form or a stream.
    public let body: Data
    /// The place among the requests of its transport, from 1.
    public let number: Int
    /// The values of the `{names}` of the URL template that matched, percent-decoded.
    public internal(set) var pathValues: [String: String] = [:]

    init(exchange: Exchange, body: Data, number: Int) {
        request = exchange.request
        id = exchange.id
        attempt = exchange.attempt
        self.body = body
        self.number = number
    }
}

extension StubRequest {
    /// The method.
    public var method: HTTPMethod { request.method }
    /// The URL.
    public var url: URL { request.url }
    /// The header fields.
    public var headers: HTTPHeaders { request.headers }

    /// The path, percent-decoded, without the query.
    public var path: String { LoopbackTarget.decode(encodedPath) }

    var encodedPath: String { LoopbackTarget.path(of: target) }

    /// The URL without its fragment, which is never sent.
    private var target: String {
        String(url.absoluteString.prefix { $0 != "#" })
    }

    /// The pairs of the query in order, decoded as a form: percent-decoded, and `+` is a space.
    public var queryItems: [URLQueryItem] { LoopbackTarget.formItems(LoopbackTarget.query(of: target) ?? "") }

    /// The first value of `name` in the query, decoded; nil when there is none.
    public func query(_ name: String) -> String? { queryItems.first { $0.name == name }?.value }

    /// The content as text; bytes that are not UTF-8 become U+FFFD.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The pairs of a form body in order, decoded like ``queryItems``.
    public var formItems: [URLQueryItem] { LoopbackTarget.formItems(text) }

    /// The content as a JSON tree.
    ///
    /// - Throws: `HTTPError.decoding(_:)` when it is no JSON.
    public func json() throws(HTTPError) -> JSONValue { try JSONValue(parsing: body) }

    /// Decodes the content as JSON.
    public func json<Value: Decodable>(as type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: body)
    }

    /// The value of a template name, `request["id"]` for `/items/{id}`; nil when the template has no such name.
    public subscript(_ name: String) -> String? { pathValues[name] }
}

extension StubRequest: CustomStringConvertible {
    /// The method and the URL, credentials in it masked.
    public var description: String { "\(method) \(Redaction.standard.url(url))" }
}
