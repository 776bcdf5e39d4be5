import Foundation

extension LoopbackServer {
    /// Adds ready-made routes, those of httpbin by path and by the members of their JSON, and some of its own.
    ///
    /// | what | paths |
    /// |---|---|
    /// | what was sent, as JSON | `/get`, `/post`, `/put`, `/patch`, `/delete`, `/anything`, `/anything/*`, `/headers`, `/ip`, `/user-agent` |
    /// | statuses | `/status/{code}`; of a list, `/status/503,200`, one after the other |
    /// | redirects | `/redirect/{n}`, `/relative-redirect/{n}`, `/absolute-redirect/{n}`, `/redirect-to?url=&status_code=` |
    /// | cookies | `/cookies`, `/cookies/set?name=value`, `/cookies/set/{name}/{value}`, `/cookies/delete?name` |
    /// | credentials | `/basic-auth/{user}/{password}`, `/hidden-basic-auth/{user}/{password}`, `/bearer`, `/digest-auth/{qop}/{user}/{password}`, `…/{algorithm}` |
    /// | bodies | `/bytes/{n}?seed=`, `/stream-bytes/{n}?chunk_size=`, `/stream/{n}`, `/range/{n}`, `/gzip`, `/base64/{text}`, `/json`, `/html`, `/xml`, `/robots.txt`, `/encoding/utf8`, `/uuid` |
    /// | time | `/delay/{seconds}` (10 at most), `/drip?numbytes=&duration=&delay=` |
    /// | caching | `/cache`, `/cache/{seconds}`, `/etag/{tag}`, `/response-headers?name=value` |
    /// | uploads | `/upload`: the number of bytes and their SHA-256 |
    /// | events | `/events/{n}?interval=&id=`: an event stream (`text/event-stream`) |
    /// | WebSocket | `/echo` |
    /// | faults | `/fault/close`, `/fault/reset`, `/fault/truncated`, `/fault/chunk`, `/fault/garbage`, `/fault/hang`, `/fault/slow` |
    ///
    /// Routes of the test's own, added before or after, go first where they are plain paths; one with the same method and
    /// path replaces the ready-made one when it is added after.
    public func addStandardRoutes() {
        addEchoRoutes()
        addRedirectRoutes()
        addCookieRoutes()
        addCredentialRoutes()
        addBodyRoutes()
        addCachingRoutes()
        addStreamRoutes()
        addFaultRoutes()
    }

    private func addEchoRoutes() {
        let methods: [(HTTPMethod, String)] = [
            (.get, "/get"), (.post, "/post"), (.put, "/put"), (.patch, "/patch"), (.delete, "/delete"),
        ]
        for (method, path) in methods { route(method, path) { [host, port] in .json(RequestEcho($0, host, port)) } }
        for path in ["/anything", "/anything/*"] {
            route(nil, path) { [host, port] in .json(RequestEcho($0, host, port)) }
        }
        route(.get, "/headers") { .json(["headers": RequestEcho.headers(of: $0)]) }
        route(.get, "/ip") { [host] _ in .json(["origin": host]) }
        route(.get, "/user-agent") { .json(["user-agent": $0.headers["User-Agent"]]) }
        let turns = Protected<[String: Int]>([:])
        route(nil, "/status/{codes}") { request in
            let text = request["codes"] ?? ""
            let codes = text.split(separator: ",").compactMap { Int($0) }.filter { (100...599).contains($0) }
            guard !codes.isEmpty else { return .text("\"\(text)\" has no status code.", status: 400) }
            let turn = turns.withLock { turns in
                defer { turns[text, default: 0] += 1 }
                return turns[text, default: 0]
            }
            let code = codes[turn % codes.count]
            switch code {
            case 100...199: return .text("A final status can't be \(code).", status: 400)
            case 301...303, 307, 308: return .redirect(to: "/get", status: code)
            case 401: return .status(code, headers: ["WWW-Authenticate": "Basic realm=\"Loopback\""])
            default: return .status(code)
            }
        }
    }

    private func addRedirectRoutes() {
        for name in ["redirect", "relative-redirect", "absolute-redirect"] {
            route(nil, "/\(name)/{count}") { [baseURL] request in
                guard let count = Int(request["count"] ?? ""), (1...100).contains(count) else {
                    return .text("The number of redirects is 1 to 100.", status: 400)
                }
                let front = name == "absolute-redirect" ? baseURL.absoluteString : ""
                return .redirect(to: front + (count == 1 ? "/get" : "/\(name)/\(count - 1)"))
            }
        }
        route(nil, "/redirect-to") { request in
            guard let url = request.query("url"), !url.contains(where: { $0.isNewline }) else {
                return .text("A query item url is needed.", status: 400)
            }
            let status = request.query("status_code").flatMap { Int($0) } ?? 302
            guard (300...399).contains(status) else { return .text("\(status) is no redirect.", status: 400) }
            return .redirect(to: url, status: status)
        }
    }

    private func addCookieRoutes() {
        @Sendable func cookies(of request: LoopbackRequest) -> [String: String] {
            let pairs = request.headers.values(for: "Cookie").flatMap { $0.split(separator: ";") }
            return pairs.reduce(into: [:]) { cookies, pair in
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                let name = parts.first.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
                if parts.count > 1 { cookies[name] = parts[1].trimmingCharacters(in: .whitespaces) }
            }
        }
        @Sendable func setting(_ pairs: [(String, String)]) -> LoopbackResponse {
            pairs.reduce(.redirect(to: "/cookies")) { response, pair in
                let line = "\(pair.0)=\(pair.1); Path=/"
                let isClean = !line.utf8.contains { $0 < 0x20 }
                return isClean ? response.addingHeader("Set-Cookie", line) : response
            }
        }
        route(.get, "/cookies") { .json(["cookies": cookies(of: $0)]) }
        route(.get, "/cookies/set") { setting($0.queryItems.map { ($0.name, $0.value ?? "") }) }
        route(.get, "/cookies/set/{name}/{value}") { setting([($0["name"] ?? "", $0["value"] ?? "")]) }
        route(.get, "/cookies/delete") { request in
            setting(request.queryItems.map { ($0.name, "; Max-Age=0") })
        }
    }
}
