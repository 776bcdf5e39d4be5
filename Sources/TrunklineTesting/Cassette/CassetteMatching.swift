import Foundation
import TrunklineHTTP

/// When a recorded exchange answers a request.
public struct CassetteMatching: Hashable, Sendable {
    /// In which order recorded exchanges are used.
    public enum Order: Hashable, Sendable {
        /// The first that matches and has not been used.
        case anyOrder
        /// The next one of the file, which must match.
        case recorded
    }

    /// Names of query items that make no difference: a time, a random number; none by default.
    public var ignoredQuery: Set<String>
    /// Names of header fields that must be equal; none by default.
    public var headers: Set<String>
    /// Whether the content must be equal, JSON by its value and multipart by its parts; `false` by default.
    public var body: Bool
    /// The order; any by default.
    public var order: Order
    /// Whether an exchange that was used answers again when no unused one matches; `false` by default.
    public var repeats: Bool

    /// Makes a rule: method and URL always, and what is asked for here.
    public init(
        ignoredQuery: Set<String> = [], headers: Set<String> = [], body: Bool = false, order: Order = .anyOrder,
        repeats: Bool = false
    ) {
        self.ignoredQuery = ignoredQuery
        self.headers = headers
        self.body = body
        self.order = order
        self.repeats = repeats
    }

    /// What differs between a request and a recorded one, both as they are written; empty where they match.
    func differences(_ request: HARRequest, _ recorded: HARRequest) -> [String] {
        var result: [String] = []
        if request.method != recorded.method {
            result.append("the method is \(request.method), recorded \(recorded.method)")
        }
        let (url, other) = (comparable(request.url), comparable(recorded.url))
        if url != other { result.append("the URL is \(url), recorded \(other)") }
        for name in headers.sorted() {
            let (values, others) = (request.headers.headers[name], recorded.headers.headers[name])
            if values != others {
                result.append(
                    "the header field \"\(name)\" is \(values ?? "missing"), recorded \(others ?? "missing")")
            }
        }
        if body, !CassetteMatching.isSame(request.postData, recorded.postData) { result.append("the body differs") }
        return result
    }

    private func comparable(_ url: String) -> String {
        let text = String(url.prefix { $0 != "#" })
        guard !ignoredQuery.isEmpty, let query = LoopbackTarget.query(of: text) else { return text }
        let kept = query.split(separator: "&").filter { pair in
            !ignoredQuery.contains(LoopbackTarget.decode(pair.prefix { $0 != "=" }, plusIsSpace: true))
        }
        return text.prefix { $0 != "?" } + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
    }

    private static func isSame(_ left: HARPostData?, _ right: HARPostData?) -> Bool {
        let (one, two) = (left?.data ?? Data(), right?.data ?? Data())
        guard one != two else { return left?.params ?? [] == right?.params ?? [] }
        guard let tree = try? JSONValue(parsing: one), let other = try? JSONValue(parsing: two) else { return false }
        return tree == other
    }
}
