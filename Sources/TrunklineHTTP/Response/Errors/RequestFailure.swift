/// Why a request could not be built. Nothing was sent.
public enum RequestFailure: Error, Hashable, Sendable {
    /// The text is not a URL a request can go to.
    case url(String, reason: String)
    /// The method is not a token (RFC 9110, section 9.1).
    case method(String)
    /// The field can't go on the wire (RFC 9110, section 5.5), or belongs to the transport.
    case header(name: String, reason: String)
    /// A parameter can't be carried by the encoding; the path is like `user.tags[1]`.
    case parameter(path: String, reason: String)
    /// A path template could not be filled.
    case pathTemplate(String, reason: String)
    /// The body can't be made.
    case body(reason: String)
    /// A part of a multipart body can't be sent as described.
    case multipart(MultipartFailure)
}

extension RequestFailure: CustomStringConvertible {
    /// What is wrong, where, and what to do. What looks like a secret is masked (``Redaction/standard``).
    public var description: String { Redaction.standard.text(words) }

    private var words: String {
        switch self {
        case .url(let text, let reason): "The URL \"\(Redaction.standard.url(text))\" can't be used: \(reason)."
        case .method(let method): "The method \"\(method)\" is not a valid HTTP method token."
        case .header(let name, let reason): "The header field \"\(name)\" can't be sent: \(reason)."
        case .parameter(let path, let reason): "The parameter \"\(path)\" can't be encoded: \(reason)."
        case .pathTemplate(let template, let reason): "The path template \"\(template)\" can't be filled: \(reason)."
        case .body(let reason): "The request body can't be made: \(reason)."
        case .multipart(let failure): failure.description
        }
    }
}
