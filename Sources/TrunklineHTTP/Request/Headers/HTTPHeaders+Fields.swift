import Foundation

extension HTTPHeaders {
    /// `Content-Type` as it stands; see ``mediaType`` for its parts.
    public var contentType: String? {
        get { self["Content-Type"] }
        set { self["Content-Type"] = newValue }
    }

    /// `Accept`.
    public var accept: String? {
        get { self["Accept"] }
        set { self["Accept"] = newValue }
    }

    /// `Accept-Language`.
    public var acceptLanguage: String? {
        get { self["Accept-Language"] }
        set { self["Accept-Language"] = newValue }
    }

    /// `Authorization`: a credential, kept out of logs by the library.
    public var authorization: String? {
        get { self["Authorization"] }
        set { self["Authorization"] = newValue }
    }

    /// `User-Agent`.
    public var userAgent: String? {
        get { self["User-Agent"] }
        set { self["User-Agent"] = newValue }
    }

    /// `ETag`, quotes and `W/` included, ready to be sent back in `If-None-Match`.
    public var etag: String? {
        get { self["ETag"] }
        set { self["ETag"] = newValue }
    }

    /// `If-None-Match`.
    public var ifNoneMatch: String? {
        get { self["If-None-Match"] }
        set { self["If-None-Match"] = newValue }
    }

    /// `If-Match`.
    public var ifMatch: String? {
        get { self["If-Match"] }
        set { self["If-Match"] = newValue }
    }

    /// `Range`.
    public var range: String? {
        get { self["Range"] }
        set { self["Range"] = newValue }
    }

    /// `Cache-Control`, several lines joined.
    public var cacheControl: String? {
        get { self["Cache-Control"] }
        set { self["Cache-Control"] = newValue }
    }

    /// `Location`, as the server wrote it.
    public var location: String? {
        get { self["Location"] }
        set { self["Location"] = newValue }
    }

    /// `Link`, several lines joined.
    public var link: String? {
        get { self["Link"] }
        set { self["Link"] = newValue }
    }
}

extension HTTPHeaders {
    /// `Content-Type` in its parts, or nil when it is absent or not a media type.
    public var mediaType: MediaType? { contentType.flatMap { MediaType($0) } }

    /// `Content-Length` of a response, in bytes; nil when it is absent, not a number, or several different ones
    /// (RFC 9110, section 8.6). It counts the bytes on the wire, before any content coding is undone.
    public var contentLength: Int64? {
        var length: Int64?
        for line in fields where HTTPHeaders.equal(line.name, "Content-Length") {
            for part in line.value.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
                let digits = String(part)?.trimmingCharacters(in: .whitespaces) ?? ""
                guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                    let value = Int64(digits), length == nil || length == value
                else { return nil }
                length = value
            }
        }
        return length
    }

    /// `Date` of a response, or nil when it is absent or not an HTTP date (RFC 9110, section 6.6.1).
    public var date: Date? { self["Date"].flatMap { HTTPDate.parse($0) } }

    /// `Last-Modified`, or nil when it is absent or not an HTTP date (RFC 9110, section 8.8.2).
    public var lastModified: Date? { self["Last-Modified"].flatMap { HTTPDate.parse($0) } }

    /// The cookies of a response's `Set-Cookie` lines, each line read by itself (RFC 6265, section 3).
    ///
    /// - Parameter url: the URL that answered; it gives cookies without `Domain` and `Path` theirs.
    public func cookies(for url: URL) -> [HTTPCookie] {
        values(for: "Set-Cookie").flatMap {
            HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": $0], for: url)
        }
    }
}
