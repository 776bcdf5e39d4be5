import Foundation

/// A change of a request, as a value: changes are made apart and put together where a request is described.
///
/// ```swift
/// let secured = RequestBuilder.compose(.addHeaders([.bearer(token)]), .addURLParams(["page": 1]))
/// ```
///
/// A change may throw, and the request then ends with that error, nothing sent. An app's own changes are made with
/// ``init(_:)`` and stand beside the library's as static members of an extension.
public struct RequestBuilder: Sendable {
    private let change: @Sendable (HTTPRequest) throws -> HTTPRequest

    /// Makes a change of a function from request to request. It runs once for each request, on the thread that makes it.
    public init(_ change: @escaping @Sendable (HTTPRequest) throws -> HTTPRequest) { self.change = change }

    /// The changed request.
    ///
    /// - Throws: an ``HTTPError`` of the change as it is, any other error as ``HTTPError/custom(_:)``.
    public func callAsFunction(_ request: HTTPRequest) throws(HTTPError) -> HTTPRequest {
        do {
            return try change(request)
        } catch {
            throw HTTPError(error)
        }
    }
}

extension RequestBuilder {
    /// No change.
    public static let identity = RequestBuilder { $0 }

    /// These changes one after the other, from left to right; none of them is ``identity``.
    public static func compose(_ builders: RequestBuilder...) -> RequestBuilder { compose(builders) }

    /// These changes one after the other, in their order; an empty list is ``identity``.
    public static func compose(_ builders: [RequestBuilder]) -> RequestBuilder {
        RequestBuilder { request in try builders.reduce(request) { try $1($0) } }
    }

    /// Sets a property: `.set(to: \.method, .put)`, `.set(to: \.options.cache, .reload)`.
    public static func set<Value: Sendable>(
        to keyPath: WritableKeyPath<HTTPRequest, Value> & Sendable, _ value: Value
    ) -> RequestBuilder {
        RequestBuilder { request in
            var request = request
            request[keyPath: keyPath] = value
            return request
        }
    }

    /// Sets header fields; a field of the same name that is there already is replaced.
    public static func addHeaders(_ headers: HTTPHeaders) -> RequestBuilder {
        RequestBuilder { request in
            var request = request
            request.headers.merge(headers)
            return request
        }
    }

    /// Appends parameters to the query, after what it has.
    ///
    /// - Parameters:
    ///   - parameters: the parameters; one that can't be carried is an error that names it.
    ///   - encoder: how they are written; its destination is ignored.
    public static func addURLParams(
        _ parameters: Parameters, encoder: URLParameterEncoder = .query
    ) -> RequestBuilder {
        var encoder = encoder
        encoder.destination = .query
        return encode(parameters, encoder)
    }

    /// Writes parameters as an encoding does: `.encode(["title": "Emma"], .json)`.
    public static func encode(_ parameters: Parameters, _ encoding: any ParameterEncoding) -> RequestBuilder {
        RequestBuilder { request in
            var request = request
            try encoding.encode(parameters, into: &request)
            return request
        }
    }

    /// Gives the request a body. A second one is an error; `.set(to: \.body, …)` replaces.
    public static func addBody(_ body: RequestBody) -> RequestBuilder {
        RequestBuilder { request in
            var request = request
            try request.setEncodedBody(body)
            return request
        }
    }

    /// Gives the request a model as its body, encoded when the request is made; see ``RequestBody/json(_:format:)``.
    public static func addBody(json model: some Encodable & Sendable) -> RequestBuilder {
        RequestBuilder { request in try RequestBuilder.addBody(.json(model))(request) }
    }

    /// Sets what counts as success: `.validate(.acceptAny)` shows the parser every answer, whatever its status.
    public static func validate(_ validation: ResponseValidation) -> RequestBuilder {
        set(to: \.options.validation, validation)
    }
}
