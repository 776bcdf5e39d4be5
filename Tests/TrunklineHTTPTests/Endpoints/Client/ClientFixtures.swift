import Foundation
import TrunklineHTTP
import TrunklineTesting

struct Post: Codable, Sendable, Equatable {
    var id: Int
    var title: String
}

/// An API's calls as an app would write them.
enum PostRequest: RequestProtocol {
    case list(user: Int)
    case add(title: String)
    case open

    var path: String {
        switch self {
        case .list, .add: "posts"
        case .open: "open"
        }
    }
    var httpMethod: HTTPMethod { if case .add = self { .post } else { .get } }
    var httpTask: HTTPTask {
        switch self {
        case .list(let user): .requestParameters(url: ["userId": user])
        case .add(let title): .requestParameters(body: ["title": title])
        case .open: .request
        }
    }
    var isAuthenticationNeeded: Bool { if case .open = self { false } else { true } }
}

@MainActor
enum Clients {
    /// A client of a server, with a session of its own.
    static func client(of server: LoopbackServer) -> NetworkClient {
        NetworkClient(baseURL: server.baseURL, session: SessionManager(cache: ResponseCache()))
    }

    /// A client whose session answers from a closure.
    static func client(
        base: String = "https://h/api", _ transport: StubTransport
    ) throws -> NetworkClient {
        try NetworkClient(baseURL: base, session: SessionManager(transport: transport, cache: ResponseCache()))
    }
}

extension ScratchDirectory {
    /// A scratch directory that is there already.
    static func made() throws -> ScratchDirectory {
        let scratch = ScratchDirectory()
        try FileManager.default.createDirectory(at: scratch.url, withIntermediateDirectories: true)
        return scratch
    }
}
