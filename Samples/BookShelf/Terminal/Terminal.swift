import Foundation

/// Where the sample writes to.
enum Terminal {
    /// Styles are for people: no escape codes in a pipe or a file, nor where NO_COLOR asks for none.
    static let isStyled: Bool = {
        let environment = ProcessInfo.processInfo.environment
        return isatty(STDOUT_FILENO) == 1 && environment["NO_COLOR", default: ""].isEmpty
            && environment["TERM"] != "dumb"
    }()

    static func bold(_ text: String) -> String { styled(text, code: 1) }

    static func dim(_ text: String) -> String { styled(text, code: 2) }

    /// Writes to standard error, apart from what the sample shows.
    static func complain(_ message: String) {
        FileHandle.standardError.write(Data("BookShelf: \(message.printable)\n".utf8))
    }

    private static func styled(_ text: String, code: Int) -> String {
        isStyled ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
