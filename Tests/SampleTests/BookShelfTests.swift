import Foundation
import Testing
import TrunklineTesting

@Suite("The BookShelf sample, as a user runs it")
struct BookShelfTests {
    @Test("Without options: the whole list in order, every other way a load may go, exit status 0, plain text")
    func wholeRun() async throws {
        let run = try await SampleRun("BookShelf")
        #expect(run.exitStatus == 0)
        #expect(run.complaints == "")
        #expect(run.lines.filter { $0.hasPrefix("Page ") } == (1...9).map { "Page \($0) of 9" })
        #expect(run.bookNumbers == Array(1...180))
        #expect(!run.output.contains("\u{1B}"))
        #expect(run.lines.allSatisfy { $0.count <= 80 && $0.last != " " })

        let ends = [
            "Same again    success      nothing: the books were in the cache",
            "Bad language  paramsError  \"klingon\" is not a language code, such as \"fr\".",
            "Old token     tokenError   Your session has expired. Please log in again.",
            "Once more     tokenError   nothing: there is a log-in screen already",
            "Server error  serverError  The catalogue is being rebuilt. Back at noon.",
            "Slow server   timeout      The server took too long to answer. Please try again.",
            "Cancelled     cancelled    The request was cancelled.",
        ]
        #expect(run.lines.filter { ends.contains($0) } == ends)
        #expect(run.lines.contains("books.load(), books.loadNext(): 180 books on 9 pages"))
        #expect(run.lines.contains("broken.load() throws: The catalogue is being rebuilt. Back at noon."))
        #expect(run.lines.contains("21 requests sent, 12 answers from the cache"))
        // Its slow endpoint answers after a minute; a sample is not waited for.
        #expect(run.took < .seconds(30))
    }

    @Test("Columns line up, and what is too long is cut with an ellipsis")
    func tables() async throws {
        let run = try await SampleRun("BookShelf", ["--pages", "2"])
        #expect(
            run.lines.contains("  #  Title                                  Author                    Year  Lang"))
        #expect(
            run.lines.contains("  2  My Ántonia                             Willa Cather              1918  en"))
        #expect(
            run.lines.contains(" 36  The Life and Opinions of Tristram Sh…  Laurence Sterne           1759  en"))
    }

    @Test("--pages shows so many pages, and no more than there are", arguments: [(1, 1), (2, 2), (9, 9), (500, 9)])
    func pages(asked: Int, shown: Int) async throws {
        let run = try await SampleRun("BookShelf", ["--pages", "\(asked)"])
        #expect(run.exitStatus == 0)
        #expect(run.lines.filter { $0.hasPrefix("Page ") } == (1...shown).map { "Page \($0) of 9" })
        #expect(run.bookNumbers == Array(1...20 * shown))
    }

    @Test(
        "--help explains the options and does nothing else", arguments: [["--help"], ["-h"], ["--pages", "1", "-h"]])
    func help(arguments: [String]) async throws {
        let run = try await SampleRun("BookShelf", arguments)
        #expect(run.exitStatus == 0)
        #expect(run.complaints == "")
        for option in ["--base-url URL", "--pages N", "--help", "Exit status"] {
            #expect(run.output.contains(option))
        }
        #expect(!run.output.contains("Page 1"))
        #expect(run.lines.allSatisfy { $0.count <= 80 })
    }

    @Test(
        "A wrong option is said on standard error, with exit status 64",
        arguments: [
            ["--shelf"], ["books"], [""], ["--pages"], ["--pages", "0"], ["--pages", "-1"], ["--pages", "two"],
            ["--pages", "99999999999999999999"], ["--base-url"], ["--base-url", "library"], ["--base-url", "ftp://h"],
            ["--base-url", "http://"], ["--help", "--shelf"],
        ])
    func wrongUsage(arguments: [String]) async throws {
        let run = try await SampleRun("BookShelf", arguments)
        #expect(run.exitStatus == 64)
        #expect(run.output == "")
        #expect(run.complaints.hasPrefix("BookShelf: "))
        #expect(run.complaints.hasSuffix(" Try --help.\n"))
    }
}

extension SampleRun {
    /// The numbers of the books, in the order they are shown.
    var bookNumbers: [Int] {
        lines.compactMap { line in
            // The number is right-aligned in the first three places.
            line.dropFirst(3).hasPrefix("  ") ? Int(line.prefix(3).drop { $0 == " " }) : nil
        }
    }
}
