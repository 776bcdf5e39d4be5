import Foundation

/// Turns a response into a value, as a function. It runs off the callback's queue.
///
/// What it throws ends the request: an ``HTTPError`` as it is, a `DecodingError` as ``HTTPError/decoding(_:)`` with the
/// path to the place, anything else as ``HTTPError/custom(_:)``.
public struct RequestParser<Value: Sendable>: Sendable {
    private let parse: @Sendable (HTTPResponse) throws -> Value

    private init(whole parse: @escaping @Sendable (HTTPResponse) throws -> Value) { self.parse = parse }

    /// Makes a parser of the content alone.
    public init(_ parse: @escaping @Sendable (Data) throws -> Value) {
        self.init(whole: { try parse(try $0.wholeContent()) })
    }

    /// Makes a parser that sees the whole response, status and header fields included: `.response { $0.headers["ETag"] }`.
    /// It is asked for what the session or ``RequestBuilder/validate(_:)`` accepts: by default status 200 to 299.
    public static func response(_ parse: @escaping @Sendable (HTTPResponse) throws -> Value) -> RequestParser {
        RequestParser(whole: parse)
    }

    /// The value.
    public func callAsFunction(_ response: HTTPResponse) throws(HTTPError) -> Value {
        do {
            return try parse(response)
        } catch let error as DecodingError {
            throw .decoding(DecodingFailure(type: "\(Value.self)", error: error, response: response))
        } catch {
            throw HTTPError(error)
        }
    }
}

extension RequestParser where Value: Decodable {
    /// Decodes JSON; an optional type accepts empty content. See ``HTTPResponse/decode(_:at:using:emptyStatuses:)``.
    public static func json(decoder: JSONDecoder = JSONDecoder()) -> RequestParser {
        .response { try $0.decode(Value.self, using: decoder) }
    }
}

extension RequestParser where Value == Void {
    /// Takes no notice of the content.
    public static var ignoringContent: RequestParser { .response { _ in } }
}

extension RequestParser where Value == HTTPResponse {
    /// The response itself.
    public static var response: RequestParser { .response { $0 } }
}
