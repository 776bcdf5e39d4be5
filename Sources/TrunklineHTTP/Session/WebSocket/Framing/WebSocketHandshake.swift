import Foundation

/// The opening handshake (RFC 6455, sections 4.1 and 4.2). Pure but for the key.
package struct WebSocketHandshake: Sendable {
    /// 16 random bytes in base64.
    package let key: String
    private let protocols: [String]

    package init(protocols: [String], key: String? = nil) {
        self.protocols = protocols
        self.key = key ?? Data((0..<16).map { _ in UInt8.random(in: .min ... .max) }).base64EncodedString()
    }

    /// The value of `Sec-WebSocket-Accept` for a key.
    package static func accept(for key: String) -> String {
        Data(SHA1Digest.bytes(of: Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))).base64EncodedString()
    }

    /// The bytes of the request.
    ///
    /// - Parameter target: path and query as they go on the wire.
    func request(_ request: HTTPRequest, target: String) throws(HTTPError) -> Data {
        guard request.method == .get, request.body == nil else {
            throw .invalidRequest(.body(reason: "a WebSocket begins with a GET that has no content"))
        }
        for name in protocols where !HTTPToken.isToken(name) {
            throw .invalidRequest(.header(name: "Sec-WebSocket-Protocol", reason: "\"\(name)\" is not a token"))
        }
        guard let host = request.url.host else {
            throw .invalidRequest(.url(request.url.absoluteString, reason: "the URL has no host"))
        }
        var text = "GET \(target) HTTP/1.1\r\n"
        if !request.headers.contains("Host") {
            let bracketed = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
            text += "Host: \(bracketed)" + (request.url.port.map { ":\($0)" } ?? "") + "\r\n"
        }
        text += "Upgrade: websocket\r\nConnection: Upgrade\r\n"
        text += "Sec-WebSocket-Key: \(key)\r\nSec-WebSocket-Version: 13\r\n"
        if !protocols.isEmpty { text += "Sec-WebSocket-Protocol: \(protocols.joined(separator: ", "))\r\n" }
        for field in request.headers where !WebSocketHandshake.isOwn(field.name) {
            text += "\(field.name): \(field.value)\r\n"
        }
        return Data((text + "\r\n").utf8)
    }

    /// The subprotocol that was agreed on, of a response with status 101.
    ///
    /// - Throws: ``HTTPError/invalidResponse(reason:)`` when it is no answer to this handshake.
    func check(_ headers: HTTPHeaders) throws(HTTPError) -> String? {
        guard WebSocketHandshake.hasToken("websocket", in: headers["Upgrade"]) else {
            throw .invalidResponse(reason: "status 101 is not an upgrade to WebSocket")
        }
        guard WebSocketHandshake.hasToken("upgrade", in: headers["Connection"]) else {
            throw .invalidResponse(reason: "status 101 has no \"Connection: Upgrade\"")
        }
        guard headers["Sec-WebSocket-Accept"] == WebSocketHandshake.accept(for: key) else {
            throw .invalidResponse(reason: "Sec-WebSocket-Accept is not the answer to the key")
        }
        if let extensions = headers["Sec-WebSocket-Extensions"], !extensions.isEmpty {
            throw .invalidResponse(reason: "the server chose an extension that was not offered")
        }
        guard let chosen = headers["Sec-WebSocket-Protocol"] else { return nil }
        guard protocols.contains(chosen) else {
            throw .invalidResponse(reason: "the server chose the subprotocol \"\(chosen)\", which was not offered")
        }
        return chosen
    }

    /// Whether a list field has the token, in any case.
    package static func hasToken(_ token: String, in value: String?) -> Bool {
        (value ?? "").split(separator: ",").contains {
            HTTPHeaders.equal($0.trimmingCharacters(in: .whitespaces), token)
        }
    }

    private static func isOwn(_ name: String) -> Bool {
        HTTPHeaders.isFraming(name) || name.lowercased().hasPrefix("sec-websocket-")
    }
}
