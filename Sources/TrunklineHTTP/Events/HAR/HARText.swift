import Foundation

/// Bytes as text and back, without loss.
enum HARText {
    /// The text, with `base64` where the bytes are not valid UTF-8.
    static func text(_ data: Data) -> (text: String, encoding: String?) {
        let text = String(decoding: data, as: UTF8.self)
        return text.utf8.elementsEqual(data) ? (text, nil) : (data.base64EncodedString(), "base64")
    }

    static func data(_ text: String, encoding: String?) -> Data? {
        guard let encoding, !encoding.isEmpty else { return Data(text.utf8) }
        guard HTTPHeaders.equal(encoding, "base64") else { return nil }
        return Data(base64Encoded: text, options: .ignoreUnknownCharacters)
    }
}
