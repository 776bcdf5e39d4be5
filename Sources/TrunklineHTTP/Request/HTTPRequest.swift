import Foundation

/// One request as it goes on the wire: an immutable value once it is handed to a session, resolved and complete.
///
/// Callers usually describe what they want with an ``Endpoint`` and let the session resolve it; stages and transports
/// see this type.
public struct HTTPRequest: Sendable {
    /// The method.
    public var method: HTTPMethod { didSet { isValidated = false } }
    /// The absolute `http` or `https` URL.
    public var url: URL { didSet { isValidated = false } }
    /// The header fields. Framing fields (`Content-Length`, `Transfer-Encoding`) belong to the transport.
    public var headers: HTTPHeaders { didSet { isValidated = false } }
    /// The content, or nil for none.
    public var body: RequestBody?
    /// What the pipeline should do with it: limits, policies, tags.
    public var options: RequestOptions
    /// Whether ``validate()`` has passed since the last change, so that a request is not read through twice.
    private var isValidated = false

    /// Makes a request from its parts.
    public init(
        method: HTTPMethod = .get, url: URL, headers: HTTPHeaders = [:], body: RequestBody? = nil,
        options: RequestOptions = RequestOptions()
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.options = options
    }
}

extension HTTPRequest {
    /// Checks everything a transport relies on: the method and field names are tokens, values hold no CR, LF or NUL,
    /// framing is left to the transport, and the URL is absolute with a scheme the library speaks.
    ///
    /// Runs on the final request, after every interceptor, so no source of headers escapes it.
    public func validate() throws(HTTPError) {
        if isValidated { return }
        guard method.isValid else { throw .invalidRequest(.method(method.rawValue)) }
        try headers.validate()
        try HTTPRequest.validate(url: url)
    }

    /// Runs ``validate()`` and remembers that it passed.
    mutating func markValidated() throws(HTTPError) {
        try validate()
        isValidated = true
    }

    static func validate(url: URL) throws(HTTPError) {
        if isPlainlyWeb(url.absoluteString) { return }
        guard let scheme = url.scheme?.lowercased() else {
            throw .invalidRequest(.url(url.absoluteString, reason: "the URL is not absolute: it has no scheme"))
        }
        guard scheme == "https" || scheme == "http" else {
            throw .invalidRequest(.url(url.absoluteString, reason: "the scheme \"\(scheme)\" is not http or https"))
        }
        guard let host = url.host, !host.isEmpty else {
            throw .invalidRequest(.url(url.absoluteString, reason: "the URL has no host"))
        }
    }

    /// Whether the text begins with `http(s)://` and a host of plain letters: nearly every URL, told without parsing.
    private static func isPlainlyWeb(_ text: String) -> Bool {
        var rest = text.utf8[...]
        guard rest.starts(with: "http".utf8) else { return false }
        rest = rest.dropFirst(4)
        if rest.first == UInt8(ascii: "s") { rest = rest.dropFirst() }
        guard rest.starts(with: "://".utf8) else { return false }
        var length = 0
        for byte in rest.dropFirst(3) {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."): length += 1
            case UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "?"), UInt8(ascii: "#"): return length > 0
            default: return false
            }
        }
        return length > 0
    }
}
