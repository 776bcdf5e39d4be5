import Foundation

/// Where the samples write to. How they print is theirs alone; nothing of the library is needed for it.
package enum Terminal {
    /// Styles and bars are for people: no escape codes in a pipe or a file, nor where NO_COLOR asks for none.
    package static let isStyled: Bool = {
        let environment = ProcessInfo.processInfo.environment
        return isatty(STDOUT_FILENO) == 1 && environment["NO_COLOR", default: ""].isEmpty
            && environment["TERM"] != "dumb"
    }()

    package static func bold(_ text: String) -> String { styled(text, code: 1) }

    package static func dim(_ text: String) -> String { styled(text, code: 2) }

    /// Writes to standard error, apart from what the sample shows.
    package static func complain(_ message: String) {
        let name = ProcessInfo.processInfo.processName
        FileHandle.standardError.write(Data("\(name): \(message.printable)\n".utf8))
    }

    private static func styled(_ text: String, code: Int) -> String {
        isStyled ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
