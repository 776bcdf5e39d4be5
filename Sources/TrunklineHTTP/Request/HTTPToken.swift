/// The grammar of `token` (RFC 9110, section 5.6.2), shared by methods, field names and directives.
package enum HTTPToken {
    /// Whether `text` is one or more `tchar`.
    package static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(isTokenByte)
    }

    /// Whether the byte is a `tchar`.
    package static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true  // digits and letters
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true  // ! # $ % & ' * + - . ^ _ ` | ~
        default: false
        }
    }
}
