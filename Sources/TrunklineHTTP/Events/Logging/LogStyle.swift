import Foundation

/// Colours of a terminal, where there are any.
struct LogStyle: Sendable {
    enum Colour: Int, Sendable {
        case red = 31, green = 32, yellow = 33, cyan = 36, grey = 90
    }

    let isColoured: Bool

    func apply(_ colour: Colour, _ text: String) -> String {
        isColoured ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// Whether the descriptor is a terminal that wants colours.
    static func isTerminal(
        _ descriptor: Int32, environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> Bool {
        isatty(descriptor) == 1 && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }

    /// The text with control characters as escapes, so that it can't do anything to a terminal or forge a line.
    static func plain(_ text: String, keepingLines: Bool = false) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        return text.unicodeScalars.reduce(into: "") { plain, scalar in
            if !isControl(scalar) || (keepingLines && (scalar == "\n" || scalar == "\t")) {
                plain.unicodeScalars.append(scalar)
            } else {
                plain += "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
    }

    /// Control characters, and those that turn the direction of writing around.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
