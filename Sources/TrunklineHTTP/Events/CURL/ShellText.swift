import Foundation

/// Words of a POSIX shell.
enum ShellText {
    /// The text in single quotes, the only kind in which a shell expands nothing.
    static func quoted(_ text: String) -> String {
        "'" + text.replacingOccurrences(of: "'", with: "'\\''") + "'"
    }

    /// A command that prints the bytes, whatever they are: a built-in of every shell, so that no limit on the length of
    /// arguments holds.
    static func printing(_ data: Data) -> String {
        var format: [UInt8] = []
        format.reserveCapacity(data.count * 2)
        for byte in data {
            switch byte {
            // What begins with a hyphen may be taken for an option.
            case UInt8(ascii: "-") where format.isEmpty: format += "\\055".utf8
            case UInt8(ascii: "%"): format += "%%".utf8
            case UInt8(ascii: "'"), UInt8(ascii: "\\"), 0..<0x20, 0x7F...:
                let digits = String(byte, radix: 8)
                format += ("\\" + String(repeating: "0", count: 3 - digits.count) + digits).utf8
            default: format.append(byte)
            }
        }
        return "printf '" + String(decoding: format, as: UTF8.self) + "'"
    }
}
