import Foundation
import SampleTerminal

/// What the user asked for on the command line.
struct Options: Equatable {
    static let help = """
        Usage: swift run BookShelf [--base-url URL] [--pages N]

        Shows a library's list of books page by page, then what a reader is told when
        a load goes wrong, and what readers do: search while typing, mark favourites
        without a network, look at a cover, take turns. The books come from a server
        that BookShelf runs itself, on this machine and only for as long as it needs
        it.

          --base-url URL  ask the server at URL for v1/books/hot instead; only the
                          list is shown
          --pages N       show the first N pages; all by default
          --help          show this help

        Exit status: 0 when all went well, 1 when the list could not be loaded, 64
        when an option is wrong.
        """

    var showsHelp = false
    var baseURL: String?
    var pages: Int?

    init(_ arguments: some Sequence<String>) throws(UsageError) {
        var arguments = arguments.makeIterator()
        while let option = arguments.next() {
            switch option {
            case "--help", "-h":
                showsHelp = true
            case "--base-url":
                baseURL = try Self.url(arguments.next())
            case "--pages":
                pages = try Self.count(arguments.next())
            default:
                throw UsageError("there is no option \"\(option)\"")
            }
        }
    }

    private static func url(_ text: String?) throws(UsageError) -> String {
        guard let text, let url = URL(string: text), let scheme = url.scheme?.lowercased(),
            ["http", "https"].contains(scheme), url.host != nil
        else {
            throw UsageError("--base-url needs a URL, such as https://library.example.com")
        }
        return text
    }

    private static func count(_ text: String?) throws(UsageError) -> Int {
        guard let count = text.flatMap({ Int($0) }), count > 0 else {
            throw UsageError("--pages needs a number from 1 up")
        }
        return count
    }
}
