import Foundation

/// Makes the URL of a request from text: whole URLs, and a base joined with a version and a path.
///
/// What a URL may not hold is escaped (spaces, non-ASCII, a stray `%` as `%25`), what is escaped already stays as it is.
/// An existing query is never read and written again.
public enum URLBuilder {
    /// The URL of an absolute text.
    ///
    /// A host outside ASCII goes out in its IDNA form.
    ///
    /// - Throws: ``HTTPError/invalidRequest(_:)`` with ``RequestFailure/url(_:reason:)`` when the text has no scheme or
    ///   host, or a host or port that can't be.
    public static func url(_ text: String) throws(HTTPError) -> URL {
        let reference = URLReference(text)
        guard let origin = reference.origin else {
            throw .invalidRequest(
                .url(text, reason: "it is not absolute; write the scheme and host, https://host/path"))
        }
        try URLAuthority.check(origin, of: text)
        return try parse(reference.text, original: text)
    }

    /// Joins a base URL, a version and a path.
    ///
    /// The path is a relative reference: path, and where it has them, query and fragment (RFC 3986, section 4.2). There is
    /// exactly one slash at each seam; an empty version or path adds nothing, not even a slash. The base's query comes
    /// first, the path's is appended; the path's fragment replaces the base's.
    ///
    /// - Parameters:
    ///   - base: an absolute URL, with or without a path, slash or query at its end.
    ///   - version: a path put between base and path, like `v2`; empty for none.
    ///   - path: the endpoint's path, with or without a slash at its front.
    ///   - allowsAbsolute: whether a path that is an absolute URL replaces the base. Off, it is an error.
    /// - Throws: ``HTTPError/invalidRequest(_:)`` with ``RequestFailure/url(_:reason:)``.
    public static func join(
        base: URL, version: String = "", path: String, allowsAbsolute: Bool = false
    ) throws(HTTPError) -> URL {
        try join(base: base.absoluteString, version: version, path: path, allowsAbsolute: allowsAbsolute)
    }

    /// Joins a base given as text; see ``join(base:version:path:allowsAbsolute:)-(URL,_,_,_)``.
    public static func join(
        base: String, version: String = "", path: String, allowsAbsolute: Bool = false
    ) throws(HTTPError) -> URL {
        let text = try URLJoining.join(base: base, version: version, path: path, allowsAbsolute: allowsAbsolute)
        return try parse(URLReference(text).text, original: text)
    }

    private static func parse(_ text: String, original: String) throws(HTTPError) -> URL {
        guard let url = URL(string: text) else {
            throw .invalidRequest(.url(original, reason: "it can't be parsed as a URL"))
        }
        let isWeb = url.scheme?.lowercased() == "http" || url.scheme?.lowercased() == "https"
        if isWeb, url.host?.isEmpty ?? true {
            throw .invalidRequest(.url(original, reason: "the host can't be used"))
        }
        return url
    }
}
