import Foundation
import TrunklineHTTP

/// The head of a request to a proxy.
struct ProxyHead {
    let method: String
    let target: String
    let version: String
    let headers: HTTPHeaders

    /// Nil where the bytes are no head.
    init?(_ bytes: [UInt8]) {
        let lines = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n")
        let parts = (lines.first ?? "").split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[2].hasPrefix("HTTP/1.") else { return nil }
        (method, target, version) = (String(parts[0]), String(parts[1]), String(parts[2]))
        var headers = HTTPHeaders()
        for line in lines.dropFirst() where !line.isEmpty {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            headers.add(String(line[..<colon]), line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces))
        }
        self.headers = headers
    }

    var isTunnel: Bool { method == "CONNECT" }

    /// Where the request goes; nil where the target names no place.
    var destination: (host: String, port: Int)? {
        let authority = isTunnel ? target : self.authority ?? ""
        guard let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") else {
            guard !isTunnel, !authority.isEmpty else { return nil }
            return (authority.lowercased(), 80)
        }
        guard let port = Int(authority[authority.index(after: colon)...]), (1...65_535).contains(port) else {
            return nil
        }
        return (authority[..<colon].lowercased(), port)
    }

    /// Host and port of an absolute `http` URL, without credentials.
    private var authority: String? {
        guard target.lowercased().hasPrefix("http://") else { return nil }
        let rest = target.dropFirst(7).prefix { !"/?#".contains($0) }
        return String(rest.split(separator: "@", omittingEmptySubsequences: false).last ?? "")
    }

    /// The head as the server gets it (RFC 9112, section 3.2.1; RFC 9110, section 7.6.1): origin form, nothing that was
    /// for the proxy, the connection closed afterwards.
    var forwarded: [UInt8] {
        var path = String(target.dropFirst(7).drop { !"/?#".contains($0) })
        if !path.hasPrefix("/") { path = "/" + path }
        var text = "\(method) \(path) HTTP/1.1\r\n"
        let dropped = Set(
            (headers["Connection"] ?? "").split(separator: ",").map {
                $0.trimmingCharacters(in: .whitespaces).lowercased()
            } + ["connection", "keep-alive", "proxy-authorization", "proxy-connection", "te"])
        for field in headers where !dropped.contains(field.name.lowercased()) {
            text += "\(field.name): \(field.value)\r\n"
        }
        return Array((text + "Via: 1.1 loopback\r\nConnection: close\r\n\r\n").utf8)
    }
}
