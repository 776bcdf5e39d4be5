import Foundation
import TrunklineTesting

/// Answers of every kind the page has to show.
struct DemoServer {
    private let server: LoopbackServer
    var baseURL: URL { server.baseURL }

    init() throws {
        server = try LoopbackServer { server in
            server.route(
                .get, "/books",
                respond: .json(DemoServer.books, headers: ["Cache-Control": "max-age=600", "ETag": "\"b1\""])
                    .delayed(by: .milliseconds(34)))
            server.route(.get, "/books/42", respond: .json(#"{"id":42,"title":"Emma","pages":12345678901234567890}"#))
            server.route(.get, "/old-books", respond: .redirect(to: "/books/42").delayed(by: .milliseconds(18)))
            let flaky = Protected(0)
            server.route(.get, "/flaky") { _ in
                let count = flaky.withLock { count in
                    count += 1
                    return count
                }
                return count < 3
                    ? .text("try again", status: 503).delayed(by: .milliseconds(15))
                    : .json(#"{"attempt":3}"#).delayed(by: .milliseconds(22))
            }
            server.route(.post, "/orders") { _ in
                .json(#"{"order":"A-1009","access_token":"server-secret","total":19.9}"#, status: 201)
                    .addingHeader("Set-Cookie", "session=cookie-secret; HttpOnly").delayed(by: .milliseconds(41))
            }
            server.route(.put, "/orders/A-1009", respond: .status(204).delayed(by: .milliseconds(12)))
            server.route(.get, "/missing", respond: .json(#"{"error":"no such book"}"#, status: 404))
            server.route(.get, "/broken", respond: .text("Internal Server Error", status: 500))
            server.route(.get, "/gone", respond: .raw([.close]))
            server.route(.get, "/cover.png", respond: .data(DemoServer.image, contentType: "image/png"))
            server.route(
                .get, "/export.csv",
                respond: .generated(count: 240_000, headers: ["Content-Type": "text/csv"])
                    .throttled(bytesPerSecond: 2_400_000))
            server.route(.get, "/hostile") { _ in
                .data(
                    Data(DemoServer.hostile.utf8), contentType: "text/html",
                    headers: ["X-Note": DemoServer.hostile, "X-<img src=x onerror=alert(2)>": "1"])
            }
            server.route(.get, "/live") { _ in
                .pipe(headers: ["Content-Type": "text/event-stream"]) { pipe in
                    pipe.send("data: hello\n\n")
                    while await pipe.receive() != nil {}
                }
            }
        }
    }

    /// Markup that would show itself in the page's document if it were ever taken for that.
    static let hostile = "<img src=x onerror=alert(1)><script>document.title='owned'</script><b id=hostile>bold</b>"

    private static let books = """
        {"books":[{"id":1,"title":"Emma","author":"Jane Austen","inStock":true,"price":9.5},\
        {"id":2,"title":"Middlemarch","author":"George Eliot","inStock":false,"price":12},\
        {"id":3,"title":"Don Quijote","author":"Miguel de Cervantes","inStock":true,"price":15.25}],\
        "page":1,"next":null}
        """

    private static let image = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + (0..<120).map { UInt8($0) })
}
