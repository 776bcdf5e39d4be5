/// A server's answer to a WebSocket's opening handshake.
public struct WebSocketAnswer: Sendable {
    /// The response: status 101 where it accepted, else the refusal with its content.
    public var response: HTTPResponse
    /// The open socket, where the server accepted.
    public var link: (any WebSocketLink)?
    /// The subprotocol that was agreed on, or nil for none.
    public var subprotocol: String?

    /// Makes an answer.
    public init(response: HTTPResponse, link: (any WebSocketLink)? = nil, subprotocol: String? = nil) {
        self.response = response
        self.link = link
        self.subprotocol = subprotocol
    }
}
