/// What the peer did that the protocol doesn't allow: the code it is told, and the failure.
package struct WebSocketViolation: Error, Hashable, Sendable {
    package var code: WebSocketCloseCode
    package var failure: WebSocketFailure

    static func broken(_ detail: String) -> WebSocketViolation {
        WebSocketViolation(
            code: .protocolError, failure: WebSocketFailure(reason: .protocolViolation, detail: detail))
    }

    static func text(_ place: String) -> WebSocketViolation {
        WebSocketViolation(
            code: .invalidPayload, failure: WebSocketFailure(reason: .invalidText, detail: "\(place) is not UTF-8"))
    }

    static func tooBig(_ limit: Int) -> WebSocketViolation {
        WebSocketViolation(
            code: .messageTooBig,
            failure: WebSocketFailure(reason: .messageTooBig, detail: "a message is larger than \(limit) bytes"))
    }
}
