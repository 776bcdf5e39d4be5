import Foundation
import TrunklineTesting

/// Decides who may read: the page itself, opened by its URL, and nobody else.
///
/// Other users of the machine reach the port but don't know the token. A page from elsewhere that has its own name lead
/// here (DNS rebinding) sends that name as `Host`. A page that links or fetches across origins says so in `Origin` and
/// `Sec-Fetch-Site`; no CORS field lets it read an answer.
struct RequestGuard: Sendable {
    let port: Int
    let token: String

    /// What a request asks for, the token taken off; nil for one that is refused.
    func resource(of request: LoopbackRequest) -> String? {
        let hosts = request.headers.values(for: "Host").map { $0.lowercased() }
        guard hosts.count == 1, let host = hosts.first, names.contains(host) else { return nil }
        if let origin = request.headers["Origin"], origin.lowercased() != "http://\(host)" { return nil }
        if let site = request.headers["Sec-Fetch-Site"], site != "same-origin", site != "none" { return nil }
        let prefix = "/\(token)/"
        let target = request.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let path = target.first, RequestGuard.isPrefix(prefix, of: String(path)) else { return nil }
        return String(path.dropFirst(prefix.count))
    }

    private var names: [String] { ["127.0.0.1:\(port)", "localhost:\(port)"] }

    /// Compares every byte, so that the time tells nothing about how much was right.
    private static func isPrefix(_ prefix: String, of text: String) -> Bool {
        let (expected, given) = (Array(prefix.utf8), Array(text.utf8.prefix(prefix.utf8.count)))
        guard expected.count == given.count else { return false }
        return zip(expected, given).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// 128 random bits that are safe in a URL.
    static func randomToken() -> String {
        Hexadecimal.text(of: (0..<16).map { _ in UInt8.random(in: .min ... .max) })
    }
}
