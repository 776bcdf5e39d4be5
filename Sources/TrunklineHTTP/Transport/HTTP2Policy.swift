/// Whether HTTP/2 is spoken.
public enum HTTP2Policy: Hashable, Sendable {
    /// Over TLS, where the server agrees in the handshake (ALPN); HTTP/1.1 elsewhere.
    case automatic
    /// Never: HTTP/1.1 only.
    case disabled
    /// Always, without asking, over TLS and in the clear (RFC 9113, section 3.3).
    case priorKnowledge
}
