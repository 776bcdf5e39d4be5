import Foundation

/// The part of a URL that goes into a cache key.
enum CacheTarget {
    private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

    /// The absolute URL without its fragment and without the ignored query items, normalised as RFC 9110, section 4.2.3
    /// allows for `http` and `https`: lower-case scheme and host, no default port, `/` for an empty path.
    static func bytes(of url: URL, ignoring ignored: Set<String>) -> [UInt8] {
        var text = url.absoluteString
        return text.withUTF8 { all in
            let text = all[..<(all.firstIndex(of: UInt8(ascii: "#")) ?? all.endIndex)]
            var result: [UInt8] = []
            result.reserveCapacity(text.count + 1)

            guard let colon = text.firstIndex(of: UInt8(ascii: ":")),
                text[colon...].starts(with: [UInt8(ascii: ":"), UInt8(ascii: "/"), UInt8(ascii: "/")])
            else { return Array(text) }
            let start = colon + 3
            let end = text[start...].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? text.endIndex

            appendLowercased(text[..<colon], to: &result)
            result.append(contentsOf: text[colon..<start])
            appendAuthority(text[start..<end], scheme: text[..<colon], to: &result)
            if end == text.endIndex || text[end] == UInt8(ascii: "?") { result.append(UInt8(ascii: "/")) }
            if ignored.isEmpty {
                result.append(contentsOf: text[end...])
            } else {
                append(text[end...], without: ignored, to: &result)
            }
            return result
        }
    }

    private static func appendAuthority(_ text: Bytes, scheme: Bytes, to result: inout [UInt8]) {
        let hostStart = text.lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? text.startIndex
        result.append(contentsOf: text[..<hostStart])
        let host = text[hostStart...]
        // The port is what follows the last colon; the colons of an IPv6 address are before its bracket.
        guard let colon = host.lastIndex(of: UInt8(ascii: ":")), !host[colon...].contains(UInt8(ascii: "]")) else {
            return appendLowercased(host, to: &result)
        }
        let port = host[(colon + 1)...]
        let isDefault =
            port.isEmpty || scheme.count == 4 && port.elementsEqual([0x38, 0x30])  // http, 80
            || scheme.count == 5 && port.elementsEqual([0x34, 0x34, 0x33])  // https, 443
        appendLowercased(isDefault ? host[..<colon] : host, to: &result)
    }

    /// Path and query without the ignored items. A query of which nothing is left goes with its question mark.
    private static func append(_ text: Bytes, without ignored: Set<String>, to result: inout [UInt8]) {
        guard let mark = text.firstIndex(of: UInt8(ascii: "?")) else { return result.append(contentsOf: text) }
        let items = text[(mark + 1)...].split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        let kept = items.filter { item in
            !ignored.contains(decoded(item.prefix { $0 != UInt8(ascii: "=") }))
        }
        result.append(contentsOf: text[..<mark])
        for (index, item) in kept.enumerated() {
            result.append(index == 0 ? UInt8(ascii: "?") : UInt8(ascii: "&"))
            result.append(contentsOf: item)
        }
    }

    private static func decoded(_ name: Bytes) -> String {
        let text = String(decoding: name, as: UTF8.self).replacing("+", with: " ")
        return text.removingPercentEncoding ?? text
    }

    private static func appendLowercased(_ text: Bytes, to result: inout [UInt8]) {
        for byte in text { result.append((0x41...0x5A).contains(byte) ? byte | 0x20 : byte) }
    }
}
