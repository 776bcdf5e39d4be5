import Foundation
import Testing
import TrunklineTesting

@Suite("The BookShelf sample against a server of the user's")
struct BookShelfServerTests {
    @Test("It asks the server for the list, shows it, and leaves the scripted failures out")
    func list() async throws {
        let server = try LoopbackServer { server in
            server.route(.get, "/api/v1/books/hot") { request in
                request.query("page") == "1"
                    ? .json(#"{"total": 21, "books": [\#(Self.books(20))]}"#)
                    : .json(#"{"total": 21, "books": [\#(Self.books(1))]}"#)
            }
        }
        defer { server.stop() }
        let run = try await SampleRun("BookShelf", ["--base-url", server.baseURL.absoluteString + "/api/"])
        #expect(run.exitStatus == 0)
        #expect(run.complaints == "")
        #expect(run.lines.filter { $0.hasPrefix("Page ") } == ["Page 1 of 2", "Page 2 of 2"])
        #expect(run.bookNumbers == Array(1...21))
        #expect(!run.output.contains("tokenError"))
        #expect(
            server.requests.map(\.target) == [
                "/api/v1/books/hot?client=bookshelf&page=1&pageSize=20&rights=public-domain",
                "/api/v1/books/hot?client=bookshelf&page=2&pageSize=20&rights=public-domain",
            ])
        // Nobody has logged in to that server.
        #expect(server.requests.allSatisfy { !$0.headers.contains("Authorization") })
    }

    @Test("What a server sends can't steer the terminal")
    func controlCharacters() async throws {
        let server = try LoopbackServer { server in
            let book = #"{"id": 1, "title": "a\u001b[2Jb\nc", "author": "\u009b", "year": 1, "language": "e\u202en"}"#
            server.route(.get, "/v1/books/hot", respond: .json(#"{"total": 1, "books": [\#(book)]}"#))
        }
        defer { server.stop() }
        let run = try await SampleRun("BookShelf", ["--base-url", server.baseURL.absoluteString])
        #expect(run.exitStatus == 0)
        #expect(run.lines.contains { $0.hasPrefix("  1  a [2Jb c ") && $0.hasSuffix("  e n") })
        #expect(!run.output.unicodeScalars.contains { ["\u{1B}", "\u{9B}", "\u{202E}"].contains($0) })
    }

    @Test(
        "A server that fails is said on standard error, with exit status 1",
        arguments: [
            (LoopbackResponse.json(#"{"message": "Closed."}"#, status: 503), "Closed."),
            (.json(#"{"message": "Who?"}"#, status: 401), "Your session has expired. Please log in again."),
            (.status(404), "This could not be found."),
            (.json("[]"), "The library's answer makes no sense."),
            (.json(#"{"total": 1, "books": [{}]}"#), "The server's answer could not be read."),
            (.text("<html>"), "The server's answer could not be read."),
            (.status(200), "There is nothing to show."),
        ])
    func failingServer(answer: LoopbackResponse, message: String) async throws {
        let server = try LoopbackServer { $0.fallback(respond: answer) }
        defer { server.stop() }
        let run = try await SampleRun("BookShelf", ["--base-url", server.baseURL.absoluteString])
        #expect(run.exitStatus == 1)
        #expect(run.output == "")
        #expect(run.complaints.hasPrefix("BookShelf: \(message) ("))
        #expect(run.complaints.hasSuffix(")\n"))
    }

    @Test("A page that fails after one that did not: what came is shown, the exit status is 1")
    func failingSecondPage() async throws {
        let server = try LoopbackServer { server in
            server.route(.get, "/v1/books/hot") { request in
                request.query("page") == "1"
                    ? .json(#"{"total": 40, "books": [\#(Self.books(20))]}"#) : .status(500)
            }
        }
        defer { server.stop() }
        let run = try await SampleRun("BookShelf", ["--base-url", server.baseURL.absoluteString])
        #expect(run.exitStatus == 1)
        #expect(run.bookNumbers == Array(1...20))
        #expect(run.complaints.hasPrefix("BookShelf: The server has a problem."))
    }

    @Test("A refused connection is said on standard error, with exit status 1")
    func refusedConnection() async throws {
        let run = try await SampleRun("BookShelf", ["--base-url", "http://127.0.0.1:1"])
        #expect(run.exitStatus == 1)
        #expect(run.output == "")
        #expect(run.complaints.hasPrefix("BookShelf: The server could not be reached. Please try again. ("))
    }

    private static func books(_ count: Int) -> String {
        let book = #"{"id": 15, "title": "Emma", "author": "Jane Austen", "year": 1815, "language": "en"}"#
        return Array(repeating: book, count: count).joined(separator: ", ")
    }
}
