/// Why a ``WebSocket`` was closed, in one number (RFC 6455, section 7.4).
public struct WebSocketCloseCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The number.
    public let rawValue: UInt16

    /// Makes a code of its number.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Makes a code of its number, for those between 3000 and 4999.
    public init(_ rawValue: UInt16) { self.rawValue = rawValue }

    /// 1000: the purpose is fulfilled.
    public static let normalClosure = WebSocketCloseCode(1000)
    /// 1001: the server goes down, or the user goes elsewhere.
    public static let goingAway = WebSocketCloseCode(1001)
    /// 1002: the peer broke the protocol.
    public static let protocolError = WebSocketCloseCode(1002)
    /// 1003: the peer sent a kind of data that is not accepted.
    public static let unsupportedData = WebSocketCloseCode(1003)
    /// 1005: the peer closed and gave no code. Never on the wire.
    public static let noStatus = WebSocketCloseCode(1005)
    /// 1007: the data was not what its type says, as text that is not UTF-8.
    public static let invalidPayload = WebSocketCloseCode(1007)
    /// 1008: the message breaks a policy.
    public static let policyViolation = WebSocketCloseCode(1008)
    /// 1009: the message is too big.
    public static let messageTooBig = WebSocketCloseCode(1009)
    /// 1010: the client needs an extension the server didn't agree to.
    public static let mandatoryExtension = WebSocketCloseCode(1010)
    /// 1011: the server can't go on.
    public static let internalError = WebSocketCloseCode(1011)
    /// 1012: the server restarts.
    public static let serviceRestart = WebSocketCloseCode(1012)
    /// 1013: the server is overloaded.
    public static let tryAgainLater = WebSocketCloseCode(1013)
    /// 1014: a gateway got a bad answer.
    public static let badGateway = WebSocketCloseCode(1014)

    /// Whether the code may stand in a close frame: one of those registered for it, or of the ranges for libraries and
    /// applications (RFC 6455, sections 7.4.1 and 7.4.2).
    public var isSendable: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }

    public var description: String { "\(rawValue)" }
}
