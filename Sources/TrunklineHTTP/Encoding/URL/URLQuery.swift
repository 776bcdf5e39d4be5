import Foundation

/// Adds to the query of a URL without reading it: what is there stays byte for byte, escapes included.
enum URLQuery {
    /// The URL with `query`, already escaped, after its own. An empty query changes nothing; the fragment stays last.
    static func appending(_ query: String, to url: URL) throws(HTTPError) -> URL {
        guard !query.isEmpty else { return url }
        let text = appending(query, to: url.absoluteString)
        guard let result = URL(string: text) else {
            throw .invalidRequest(.url(text, reason: "it can't be parsed with the query added"))
        }
        return result
    }

    /// The same on text. Looks at bytes: a search for a text goes through Foundation's strings, at ten times the cost.
    static func appending(_ query: String, to url: String) -> String {
        guard !query.isEmpty else { return url }
        let bytes = url.utf8
        let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
        let head = bytes[..<end]
        var result = String(head) ?? ""
        result.reserveCapacity(bytes.count + query.utf8.count + 1)
        if !head.contains(UInt8(ascii: "?")) {
            result += "?"
        } else if let last = head.last, last != UInt8(ascii: "?"), last != UInt8(ascii: "&") {
            result += "&"
        }
        result += query
        result += url[end...]
        return result
    }
}
