import Foundation

/// The text of a dictionary's key.
enum ParameterKey {
    /// The key as text: strings as they are, raw-value types by their raw value, anything that converts to text and
    /// back by that text. Nil when the key has no such form.
    static func text(of key: Any) -> String? {
        switch key {
        case let key as AnyHashable where type(of: key as Any) == AnyHashable.self: plainText(of: key.base)
        default: plainText(of: key)
        }
    }

    private static func plainText(of key: Any) -> String? {
        switch key {
        case let key as String: key
        case let key as any RawRepresentable: plainText(of: key.rawValue)
        case let key as any LosslessStringConvertible: key.description
        case let key as UUID: key.uuidString
        case let key as NSNumber: key.stringValue
        default: nil
        }
    }
}
