import Foundation
import TrunklineHTTP

/// The URL a stub answers: a path template, with scheme, host and port in front of it or without, and query items that must
/// be there.
struct StubURLPattern: Sendable {
    let text: String
    private let host: String?
    private let port: Int?
    private let scheme: String?
    private let path: PathTemplate
    private let query: [URLQueryItem]
    /// Why the text is no pattern.
    private let fault: String?

    init(_ text: String) {
        self.text = text
        let plain = String(text.prefix { $0 != "#" })
        let parts = plain.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let front = parts.first.map(String.init) ?? ""
        query = parts.count > 1 ? LoopbackTarget.formItems(String(parts[1])) : []
        if front.hasPrefix("/") {
            (scheme, host, port, fault) = (nil, nil, nil, nil)
            path = PathTemplate(front)
            return
        }
        let bare = String(front.prefix { $0 != "{" && $0 != "*" })
        guard let url = URL(string: bare), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = url.host?.lowercased(), !host.isEmpty
        else {
            (self.scheme, host, port) = (nil, nil, nil)
            path = PathTemplate("/")
            fault = "\"\(text)\" is neither a path that begins with a slash nor an http(s) URL"
            return
        }
        self.scheme = scheme
        self.host = host
        port = url.port ?? StubURLPattern.standardPort(scheme)
        path = PathTemplate(LoopbackTarget.path(of: front))
        fault = nil
    }

    private static func standardPort(_ scheme: String?) -> Int? {
        switch scheme {
        case "http": 80
        case "https": 443
        default: nil
        }
    }

    /// The values of the names in the path; nil where something differs.
    func values(of request: StubRequest) -> [String: String]? {
        path.match(PathTemplate.split(request.encodedPath))
    }

    /// What differs.
    func mismatches(_ request: StubRequest) -> [StubMismatch] {
        if let fault { return [StubMismatch(.path, "the stub's URL can't be used: \(fault)", distance: 9)] }
        var result: [StubMismatch] = []
        if let host {
            let scheme = request.url.scheme?.lowercased()
            let found = (request.url.host?.lowercased() ?? "", request.url.port ?? StubURLPattern.standardPort(scheme))
            if found.0 != host || found.1 != port || scheme != self.scheme {
                let origin = "\(scheme ?? "")://\(found.0):\(found.1 ?? 0)"
                let wanted = "\(self.scheme ?? "")://\(host):\(port ?? 0)"
                result.append(StubMismatch(.host, "the server is \(origin), wanted \(wanted)", distance: 4))
            }
        }
        let parts = PathTemplate.split(request.encodedPath)
        if path.match(parts) == nil {
            let wanted = PathTemplate.split(path.text)
            let same = zip(parts, wanted).filter { $0 == $1 || $1.hasPrefix("{") }.count
            let distance = 4 + max(parts.count, wanted.count) - same
            result.append(
                StubMismatch(.path, "the path is \"\(request.path)\", wanted \"\(path.text)\"", distance: distance))
        }
        for item in query {
            if let reason = StubCondition.queryDifference(request, item.name, item.value) {
                result.append(StubMismatch(.query, reason))
            }
        }
        return result
    }
}
