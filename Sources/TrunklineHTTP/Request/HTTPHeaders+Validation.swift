extension HTTPHeaders {
    /// Checks every line: the name is a token (RFC 9110, sections 5.1 and 5.6.2), the value has no CR, LF or NUL
    /// (section 5.5), and the field is not one of message framing, which is the transport's (RFC 9112, section 6).
    public func validate() throws(HTTPError) {
        for field in fields {
            guard HTTPToken.isToken(field.name) else {
                throw .invalidRequest(.header(name: field.name, reason: "the name is not a token"))
            }
            if let byte = field.value.utf8.first(where: { $0 == 0 || $0 == 0x0A || $0 == 0x0D }) {
                let what = byte == 0 ? "NUL" : (byte == 0x0A ? "a line feed" : "a carriage return")
                throw .invalidRequest(.header(name: field.name, reason: "the value contains \(what)"))
            }
            if HTTPHeaders.isFraming(field.name) {
                throw .invalidRequest(.header(name: field.name, reason: "message framing is set by the transport"))
            }
        }
    }

    /// Whether the field frames the message and so belongs to the transport.
    static func isFraming(_ name: String) -> Bool {
        switch name.utf8.count {
        case 14: equal(name, "Content-Length")
        case 17: equal(name, "Transfer-Encoding")
        case 7: equal(name, "Trailer") || equal(name, "Upgrade")
        case 10: equal(name, "Connection") || equal(name, "Keep-Alive")
        default: false
        }
    }
}
