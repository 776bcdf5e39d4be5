import Foundation
import Trunkline
import TrunklineTesting

/// The lists of books and the search, and two endpoints that go wrong.
extension BookServer {
    static func addLists(to server: LoopbackServer) {
        server.route(.get, "/v1/books/hot") { request in
            refusal(of: request) ?? .json(page(of: hotList(for: request), for: request))
        }
        server.route(.get, "/v1/books") { request in
            refusal(of: request) ?? .json(search(for: request))
        }
        let broken = ServerMessage(message: "The catalogue is being rebuilt. Back at noon.")
        server.route(.get, "/v1/books/broken", respond: .json(broken, status: 500))
        // Far later than any client of this sample waits.
        let late = BookList(total: 0, books: [])
        server.route(.get, "/v1/books/slow", respond: .json(late).delayed(by: .seconds(60)))
    }

    /// Why a request is not answered, or nil if it is.
    private static func refusal(of request: LoopbackRequest) -> LoopbackResponse? {
        guard request.query("client") != nil else {
            return .json(ServerMessage(message: "Which client is this?"), status: 400)
        }
        return reader(of: request) == nil ? tokenRefusal : nil
    }

    private static func hotList(for request: LoopbackRequest) -> [Book] {
        let language = request.query("language")
        return BookData.hotList.filter { language == nil || $0.language == language }
    }

    private static func search(for request: LoopbackRequest) -> BookList {
        let words = request.query("words") ?? ""
        let books = BookData.catalogue.filter { book in
            "\(book.title) \(book.author)".range(of: words, options: [.caseInsensitive, .diacriticInsensitive]) != nil
        }
        return BookList(total: books.count, books: books)
    }

    private static func page(of books: [Book], for request: LoopbackRequest) -> BookList {
        let size = number("pageSize", in: request, 1...100, default: 20)
        let page = number("page", in: request, 1...10_000, default: 1)
        return BookList(total: books.count, books: Array(books.dropFirst((page - 1) * size).prefix(size)))
    }

    private static func number(
        _ name: String, in request: LoopbackRequest, _ range: ClosedRange<Int>, default value: Int
    ) -> Int {
        let asked = request.query(name).flatMap { Int($0) } ?? value
        return min(max(asked, range.lowerBound), range.upperBound)
    }
}
