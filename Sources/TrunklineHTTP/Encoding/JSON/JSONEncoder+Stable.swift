import Foundation

extension JSONEncoder {
    /// An encoder that writes the same bytes on every run and platform: keys sorted, slashes as they are.
    package static var stable: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}
