/// The parameters of a ``RequestProtocol``. Values compare exactly: two tasks are equal when every parameter is.
public enum HTTPTask: Hashable, Sendable {
    /// No parameters.
    case request
    /// Parameters.
    ///
    /// - Parameters:
    ///   - body: written into the body as `encoding` says; by default none.
    ///   - encoding: by default JSON.
    ///   - url: appended to the query, whatever the encoding, except those that fill a `{name}` of the path; by default
    ///     none.
    case requestParameters(body: Parameters = [:], encoding: Encoding = .json, url: Parameters = [:])
    /// Parameters, and header fields that win over all others.
    case requestParametersAndHeaders(
        body: Parameters = [:], encoding: Encoding = .json, url: Parameters = [:], extraHeaders: HTTPHeaders)

    /// How the body parameters are written. Parameters an encoding has no place for are an error, never dropped.
    public enum Encoding: Sendable {
        /// Only the query: body parameters are an error.
        case url
        /// As JSON.
        case json
        /// The `url` parameters into the query and the `body` parameters as JSON: the same as ``json``.
        case urlAndJSON
        /// As `application/x-www-form-urlencoded`.
        case form
        /// By an encoder of the app's.
        case custom(any ParameterEncoding & Hashable)
    }
}

extension HTTPTask {
    /// The parameters for the body.
    public var bodyParameters: Parameters {
        switch self {
        case .request: [:]
        case .requestParameters(let body, _, _), .requestParametersAndHeaders(let body, _, _, _): body
        }
    }

    /// The parameters for the path and the query.
    public var urlParameters: Parameters {
        switch self {
        case .request: [:]
        case .requestParameters(_, _, let url), .requestParametersAndHeaders(_, _, let url, _): url
        }
    }

    /// How the body parameters are written.
    public var encoding: Encoding {
        switch self {
        case .request: .json
        case .requestParameters(_, let encoding, _), .requestParametersAndHeaders(_, let encoding, _, _): encoding
        }
    }

    /// The header fields that win over all others.
    public var extraHeaders: HTTPHeaders {
        if case .requestParametersAndHeaders(_, _, _, let headers) = self { headers } else { [:] }
    }
}
