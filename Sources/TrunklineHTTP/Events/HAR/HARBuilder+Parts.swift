import Foundation

extension HARBuilder {
    /// The URL without its fragment, masked in a way that leaves it a URL.
    static func url(_ text: String, _ redaction: Redaction) -> String {
        let shown = redaction.url(text).replacingOccurrences(of: Redaction.mask, with: "%3Credacted%3E")
        return shown.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).first.map(String.init)
            ?? shown
    }

    /// The items of the query of a URL.
    static func query(_ url: String) -> [HARField] {
        url.firstIndex(of: "?").map { items(String(url[url.index(after: $0)...])) } ?? []
    }

    /// The items of `a=1&b=2`, decoded.
    static func items(_ text: String) -> [HARField] {
        text.split(separator: "&").map { item in
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { part in
                let spaced = part.replacingOccurrences(of: "+", with: " ")
                return spaced.removingPercentEncoding ?? spaced
            }
            return HARField(name: pair.first ?? "", value: pair.count > 1 ? pair[1] : "")
        }
    }

    /// `HTTP/1.1` or `h2`; empty where it is unknown.
    static func version(_ spoken: String?) -> String {
        guard let spoken else { return "" }
        return spoken.hasPrefix("http/") ? spoken.uppercased() : spoken
    }

    /// The address and the port of `127.0.0.1:80` and `[::1]:80`.
    static func peer(_ text: String) -> (address: String, port: String)? {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let address = text[..<colon].trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        return (address, String(text[text.index(after: colon)...]))
    }

    static func cookies(_ headers: HTTPHeaders, _ redaction: Redaction) -> [HARCookie] {
        headers.values(for: "Cookie").flatMap { $0.split(separator: ";") }.compactMap { pair in
            pair.firstIndex(of: "=").map { equals in
                cookie(pair, equals, redaction.value("", ofHeader: "Cookie"))
            }
        }
    }

    static func setCookies(_ headers: HTTPHeaders, _ redaction: Redaction) -> [HARCookie] {
        headers.values(for: "Set-Cookie").compactMap { line in
            let parts = line.split(separator: ";", omittingEmptySubsequences: false)
            guard let pair = parts.first, let equals = pair.firstIndex(of: "=") else { return nil }
            var cookie = cookie(pair, equals, redaction.value("", ofHeader: "Set-Cookie"))
            for part in parts.dropFirst() {
                let attribute = part.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
                let value = attribute.count > 1 ? attribute[1] : ""
                switch attribute.first?.lowercased() {
                case "path"?: cookie.path = value
                case "domain"?: cookie.domain = value
                case "expires"?: cookie.expires = HTTPDate.parse(value).map(HARDate.text)
                case "httponly"?: cookie.httpOnly = true
                case "secure"?: cookie.secure = true
                default: break
                }
            }
            return cookie
        }
    }

    /// - Parameter mask: what is shown in place of the value; empty for the value itself.
    private static func cookie(_ pair: Substring, _ equals: Substring.Index, _ mask: String) -> HARCookie {
        let value = pair[pair.index(after: equals)...].trimmingCharacters(in: .whitespaces)
        return HARCookie(
            name: pair[..<equals].trimmingCharacters(in: .whitespaces), value: mask.isEmpty ? value : mask)
    }
}

extension HARTimings {
    /// The phases of an exchange. What a transport measures counts from the exchange's start; what it did not measure is
    /// unknown, and without any figures everything is a wait.
    init(_ metrics: TransportMetrics?, elapsed: Duration) {
        // Whole microseconds.
        func milliseconds(_ duration: Duration) -> Double { max(0, duration.seconds * 1e6).rounded() / 1000 }
        guard let metrics, let firstByte = metrics.firstByte else {
            self.init(wait: milliseconds(elapsed))
            return
        }
        let connected = metrics.secureConnect ?? metrics.connect
        let total = max(metrics.total ?? elapsed, firstByte)
        self.init(
            blocked: milliseconds(elapsed - total), dns: metrics.nameLookup.map(milliseconds) ?? -1,
            connect: connected.map { milliseconds($0 - (metrics.nameLookup ?? .zero)) } ?? -1,
            wait: milliseconds(firstByte - (connected ?? .zero)), receive: milliseconds(total - firstByte),
            ssl: -1)
        if let secure = metrics.secureConnect, let connect = metrics.connect { ssl = milliseconds(secure - connect) }
    }
}
