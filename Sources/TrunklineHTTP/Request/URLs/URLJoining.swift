/// Joins a base, a version and a path as text, escaping nothing: what comes out may still be a template with `{name}`
/// placeholders. ``URLBuilder`` follows the same rules and gives a finished URL.
public enum URLJoining {
    /// The joined text.
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
        base: String, version: String = "", path: String, allowsAbsolute: Bool = false
    ) throws(HTTPError) -> String {
        let addition = URLReference(path)
        if addition.origin != nil || URLReference.namesWebScheme(path) {
            guard allowsAbsolute else {
                throw .invalidRequest(
                    .url(path, reason: "a path relative to \(base) is expected here, not an absolute URL"))
            }
            guard let origin = addition.origin else {
                throw .invalidRequest(
                    .url(path, reason: "it is not absolute; write the scheme and host, https://host/path"))
            }
            try URLAuthority.check(origin, of: path)
            return path
        }
        var joined = URLReference(base)
        guard let origin = joined.origin else {
            throw .invalidRequest(.url(base, reason: "the base URL is not absolute; write the scheme and host"))
        }
        try URLAuthority.check(origin, of: base)
        append(pathOnly(version), to: &joined.path)
        append(addition.path, to: &joined.path)
        if let query = addition.query { joined.query = appended(query, to: joined.query) }
        if let fragment = addition.fragment { joined.fragment = fragment }
        return joined.literalText
    }

    /// Appends a path with one slash at the seam.
    private static func append(_ addition: [UInt8], to path: inout [UInt8]) {
        guard !addition.isEmpty else { return }
        while path.last == UInt8(ascii: "/") { path.removeLast() }
        path.append(UInt8(ascii: "/"))
        path.append(contentsOf: addition.drop { $0 == UInt8(ascii: "/") })
    }

    private static func appended(_ addition: [UInt8], to query: [UInt8]?) -> [UInt8] {
        guard let query, let last = query.last else { return addition }
        guard !addition.isEmpty else { return query }
        return query + (last == UInt8(ascii: "&") ? [] : [UInt8(ascii: "&")]) + addition
    }

    /// The text as a path alone: `?` and `#` in it are escaped.
    private static func pathOnly(_ text: String) -> [UInt8] {
        text.utf8.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "?"): Array("%3F".utf8)
            case UInt8(ascii: "#"): Array("%23".utf8)
            default: [byte]
            }
        }
    }
}
