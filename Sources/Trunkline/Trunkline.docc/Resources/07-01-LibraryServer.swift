import Trunkline
import TrunklineTesting

@testable import BookShelf

/// A library for tests: a real server on this machine.
enum LibraryServer {
    static let books = (1...30).map { Book(id: $0, title: "Book \($0)", author: "Anon") }

    static func start() throws -> LoopbackServer {
        try LoopbackServer { server in
            server.route(.get, "/v1/books/hot") { request in
                guard request.headers["Authorization"] == "Bearer t" else { return .status(401) }
                let page = request.query("page").flatMap { Int($0) } ?? 1
                return .json(BookList(total: books.count, books: Array(books.dropFirst((page - 1) * 20).prefix(20))))
            }
        }
    }
}
