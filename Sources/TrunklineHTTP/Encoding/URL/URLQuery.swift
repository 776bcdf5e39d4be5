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

    /// The same on text.
    static func appending(_ query: String, to url: String) -> String {
        guard !query.isEmpty else { return url }
        let fragmentStart = url.firstIndex(of: "#") ?? url.endIndex
        let head = url[..<fragmentStart]
        let separator: String
        if !head.contains("?") {
            separator = "?"
        } else {
            separator = head.last == "?" || head.last == "&" ? "" : "&"
        }
        return head + separator + query + url[fragmentStart...]
    }
}
