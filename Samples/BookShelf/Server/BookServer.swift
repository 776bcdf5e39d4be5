import Trunkline
import TrunklineTesting

/// The sample's own backend, on 127.0.0.1 and a free port, so that the sample needs no internet. Not a part of the
/// app: an app has a real one.
struct BookServer {
    static let validToken = "reader-2"
    static let expiredToken = "reader-1"

    private let server: LoopbackServer

    var baseURL: String { server.baseURL.absoluteString }

    init() throws {
        server = try LoopbackServer { server in
            server.route(.get, "/v1/books/hot") { request in
                Self.refusal(of: request) ?? .json(Self.page(for: request))
            }
            let broken = ServerMessage(message: "The catalogue is being rebuilt. Back at noon.")
            server.route(.get, "/v1/books/broken", respond: .json(broken, status: 500))
            // Far later than any client of this sample waits.
            let late = BookList(total: 0, books: [])
            server.route(.get, "/v1/books/slow", respond: .json(late).delayed(by: .seconds(60)))
        }
    }

    func stop() { server.stop() }

    /// Why a request is not answered, or nil if it is.
    private static func refusal(of request: LoopbackRequest) -> LoopbackResponse? {
        guard request.query("client") != nil else {
            return .json(ServerMessage(message: "Which client is this?"), status: 400)
        }
        guard request.headers["Authorization"] == "Bearer \(validToken)" else {
            return .json(ServerMessage(message: "The token has expired."), status: 401)
        }
        return nil
    }

    private static func page(for request: LoopbackRequest) -> BookList {
        let language = request.query("language")
        let books = BookData.hotList.filter { language == nil || $0.language == language }
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
