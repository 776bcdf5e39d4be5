/// What a request says to caches (RFC 9111, section 5.2.1).
struct RequestDirectives: Hashable, Sendable {
    /// The directives of its `Cache-Control`.
    let control: CacheControl
    /// The range it asks for, where there is one and the cache can judge it.
    let range: RequestedRange?
    /// Whether it has a `Range`, of any kind.
    let hasRange: Bool
    /// Its `If-Range`.
    let ifRange: String?
    /// Whether it has conditions of the caller's own that a cache can judge: `If-None-Match`, `If-Modified-Since`.
    let isConditional: Bool
    /// Whether it has conditions only the server can judge: `If-Match`, `If-Unmodified-Since` (section 4.3.2).
    let isForServer: Bool

    private static let plain = RequestDirectives()

    private init() {
        control = CacheControl()
        (range, hasRange, ifRange, isConditional, isForServer) = (nil, false, nil, false, false)
    }

    /// Reads the request.
    static func of(_ headers: HTTPHeaders) -> RequestDirectives {
        let concernsCaches = headers.contains { line in
            switch line.name.utf8.count {
            case 5: HTTPHeaders.equal(line.name, "Range")
            case 6: HTTPHeaders.equal(line.name, "Pragma")
            case 13: HTTPHeaders.equal(line.name, "Cache-Control") || HTTPHeaders.equal(line.name, "If-None-Match")
            case 8: HTTPHeaders.equal(line.name, "If-Match") || HTTPHeaders.equal(line.name, "If-Range")
            case 17: HTTPHeaders.equal(line.name, "If-Modified-Since")
            case 19: HTTPHeaders.equal(line.name, "If-Unmodified-Since")
            default: false
            }
        }
        return concernsCaches ? RequestDirectives(headers) : plain
    }

    private init(_ headers: HTTPHeaders) {
        var control = CacheControl(headers)
        // Section 5.4: read as the old `no-cache`, and only where there is no Cache-Control.
        if !headers.contains("Cache-Control"), FieldList.names("Pragma", in: headers).contains("no-cache") {
            control.noCache = true
        }
        self.control = control
        let ranges = headers.values(for: "Range")
        hasRange = !ranges.isEmpty
        range = ranges.count == 1 ? ranges.first.flatMap { RequestedRange($0) } : nil
        ifRange = headers["If-Range"]
        isConditional = headers.contains("If-None-Match") || headers.contains("If-Modified-Since")
        isForServer = headers.contains("If-Match") || headers.contains("If-Unmodified-Since")
    }
}
