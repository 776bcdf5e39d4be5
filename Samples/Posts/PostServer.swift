import Foundation
import TrunklineHTTP
import TrunklineTesting

/// The sample's own backend on 127.0.0.1: an app has a real one.
enum PostServer {
    static let titles = [
        "On the shortness of days", "A walk along the harbour", "Three ways to brew tea", "Letters nobody sent",
        "The clock in the hall",
    ]

    static func start() throws -> LoopbackServer {
        try LoopbackServer { server in
            server.route(.get, "/posts") { request in
                guard request.headers["Authorization"] == "Bearer reader" else { return .status(401) }
                return .json(titles.enumerated().map { Post(id: $0 + 1, title: $1) })
            }
            server.route(.post, "/posts") { request in
                .json(Post(id: titles.count + 1, title: try request.json(as: NewPost.self).title), status: 201)
            }
            server.route(.get, "/posts/{id}") { request in
                .json(["message": "There is no post \(request["id"] ?? "")."], status: 404)
            }
            server.route(.get, "/cover.png", respond: .generated(count: 3_000_000))
            server.route(.get, "/archive", respond: LoopbackResponse.json("[]").delayed(by: .seconds(60)))
        }
    }
}
