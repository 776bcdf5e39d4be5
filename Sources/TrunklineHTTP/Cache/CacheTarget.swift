import Foundation

/// The part of a URL that goes into a cache key.
enum CacheTarget {
    /// The absolute URL without its fragment and without the ignored query items, normalised as RFC 9110, section 4.2.3
    /// allows for `http` and `https`: lower-case scheme and host, no default port, `/` for an empty path.
    static func bytes(of url: URL, ignoring ignored: Set<String>) -> [UInt8] {
        var text = Array(url.absoluteString.utf8)
        if let fragment = text.firstIndex(of: UInt8(ascii: "#")) { text.removeSubrange(fragment...) }

        guard let colon = text.firstIndex(of: UInt8(ascii: ":")), text[colon...].starts(with: Array("://".utf8)) else {
            return text
        }
        let start = colon + 3
        let end = text[start...].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? text.endIndex
        let scheme = text[..<colon].map(lowercased)
        let authority = authority(text[start..<end], scheme: scheme)

        var result: [UInt8] = []
        result.reserveCapacity(text.count + 1)
        result += scheme
        result += text[colon..<start]
        result += authority
        if end == text.endIndex || text[end] == UInt8(ascii: "?") { result.append(UInt8(ascii: "/")) }
        result += ignored.isEmpty ? Array(text[end...]) : dropping(ignored, from: text[end...])
        return result
    }

    private static func authority(_ text: ArraySlice<UInt8>, scheme: [UInt8]) -> [UInt8] {
        let hostStart = text.lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? text.startIndex
        var host = text[hostStart...].map(lowercased)
        let port: [UInt8] = scheme == Array("https".utf8) ? Array(":443".utf8) : Array(":80".utf8)
        if host.last == UInt8(ascii: ":") {
            host.removeLast()
        } else if host.count > port.count, host.suffix(port.count).elementsEqual(port),
            scheme == Array("https".utf8) || scheme == Array("http".utf8)
        {
            host.removeLast(port.count)
        }
        return Array(text[..<hostStart]) + host
    }

    /// Path and query without the ignored items. A query of which nothing is left goes with its question mark.
    private static func dropping(_ ignored: Set<String>, from text: ArraySlice<UInt8>) -> [UInt8] {
        guard let mark = text.firstIndex(of: UInt8(ascii: "?")) else { return Array(text) }
        let items = text[(mark + 1)...].split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        let kept = items.filter { item in
            !ignored.contains(decoded(item.prefix { $0 != UInt8(ascii: "=") }))
        }
        guard !kept.isEmpty else { return Array(text[..<mark]) }
        return Array(text[...mark]) + kept.joined(separator: [UInt8(ascii: "&")])
    }

    private static func decoded(_ name: ArraySlice<UInt8>) -> String {
        let text = String(decoding: name, as: UTF8.self).replacing("+", with: " ")
        return text.removingPercentEncoding ?? text
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}
