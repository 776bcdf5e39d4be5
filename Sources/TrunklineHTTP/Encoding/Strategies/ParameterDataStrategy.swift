import Foundation

/// How bytes are written, in every encoder alike.
public enum ParameterDataStrategy: Sendable {
    /// Base64 (RFC 4648, section 4). The default.
    case base64
    /// Base64 with the URL-safe alphabet and no padding (RFC 4648, section 5).
    case base64URL
    /// Not at all: the encoding fails and names the parameter.
    case refused
    /// Text the app makes.
    case formatted(@Sendable (Data) -> String)

    func text(of data: Data, at path: ParameterPath) throws(RequestFailure) -> String {
        switch self {
        case .base64: return data.base64EncodedString()
        case .base64URL:
            let text = data.base64EncodedString()
            return String(
                text.compactMap { character in
                    switch character {
                    case "+": "-"
                    case "/": "_"
                    case "=": nil
                    default: character
                    }
                })
        case .formatted(let format): return format(data)
        case .refused: throw path.failure("bytes are refused by the encoder's data strategy")
        }
    }
}
