import Foundation

/// Reads one `Set-Cookie` line as clients must, however servers write it (RFC 6265, sections 5.2 and 5.3).
enum CookieParser {
    /// The cookie, or nil when the line makes none or it is not for this URL.
    static func cookie(_ line: String, from url: URL, now: Date) -> Cookie? {
        // Section 6.1 asks for 4096 bytes at least; more is refused, as browsers do.
        guard line.utf8.count <= 8192, let host = url.host?.lowercased(), !host.isEmpty else { return nil }
        var parts = line.split(separator: ";", omittingEmptySubsequences: false)[...]
        guard let pair = parts.popFirst(), let (name, value) = split(pair), !name.isEmpty else { return nil }
        guard name.utf8.count + value.utf8.count <= 4096, !hasControls(name), !hasControls(value) else { return nil }
        var cookie = Cookie(name: name, value: value, domain: host, path: defaultPath(of: url), created: now)
        var maxAge: Date?
        for part in parts {
            let (key, value) = split(part) ?? (trimmed(part), "")
            switch key.lowercased() {
            case "expires": cookie.expires = CookieDate.parse(value) ?? cookie.expires
            case "max-age": maxAge = end(ofAge: value, now: now) ?? maxAge
            case "domain":
                guard !value.isEmpty else { continue }
                cookie.domain = (value.hasPrefix(".") ? String(value.dropFirst()) : value).lowercased()
                cookie.isHostOnly = false
            case "path": cookie.path = value.hasPrefix("/") ? value : defaultPath(of: url)
            case "secure": cookie.isSecure = true
            case "httponly": cookie.isHTTPOnly = true
            default: break
            }
        }
        // Max-Age wins over Expires.
        cookie.expires = maxAge ?? cookie.expires
        return isAllowed(&cookie, host: host, url: url) ? cookie : nil
    }

    private static func isAllowed(_ cookie: inout Cookie, host: String, url: URL) -> Bool {
        let isSecureOrigin = url.scheme?.lowercased() == "https"
        if !cookie.isHostOnly {
            guard Cookie.host(host, isWithin: cookie.domain) else { return false }
            // A domain without a dot is a public suffix or the host itself; only the host itself may have it.
            if !cookie.domain.contains(".") || Cookie.isAddress(host) {
                guard cookie.domain == host else { return false }
                cookie.isHostOnly = true
            }
        }
        if cookie.isSecure, !isSecureOrigin { return false }
        // The name prefixes of RFC 6265bis, section 4.1.3.
        let name = cookie.name.lowercased()
        if name.hasPrefix("__secure-") { return cookie.isSecure }
        if name.hasPrefix("__host-") { return cookie.isSecure && cookie.isHostOnly && cookie.path == "/" }
        return true
    }

    /// Name and value of `name=value`; nil without an equals sign.
    private static func split(_ part: Substring) -> (String, String)? {
        guard let equals = part.firstIndex(of: "=") else { return nil }
        return (trimmed(part[..<equals]), trimmed(part[part.index(after: equals)...]))
    }

    private static func trimmed(_ text: Substring) -> String {
        text.trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
    }

    private static func hasControls(_ text: String) -> Bool {
        text.utf8.contains { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }
    }

    /// The date `Max-Age` means; nil when it is no number. Zero and below end the cookie at once (section 5.2.2).
    private static func end(ofAge text: String, now: Date) -> Date? {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        if text.hasPrefix("-") { return .distantPast }
        // The bound keeps the date within what every calendar can hold.
        let seconds = min(Double(digits) ?? .infinity, 1e10)
        return seconds == 0 ? .distantPast : now.addingTimeInterval(seconds)
    }

    /// The directory of the URL's path (section 5.1.4).
    private static func defaultPath(of url: URL) -> String {
        let path = url.path(percentEncoded: true)
        guard path.hasPrefix("/"), let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
        return String(path[..<slash])
    }
}
