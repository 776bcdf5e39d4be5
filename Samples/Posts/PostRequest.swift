import TrunklineHTTP

/// The calls of the backend, as values.
enum PostRequest: RequestProtocol {
    case list
    case post(id: Int)
    case add
    case cover
    case archive

    var path: String {
        switch self {
        case .list, .add: "posts"
        case .post: "posts/{id}"
        case .cover: "cover.png"
        case .archive: "archive"
        }
    }

    var httpMethod: HTTPMethod { if case .add = self { .post } else { .get } }

    var httpTask: HTTPTask {
        if case .post(let id) = self { .requestParameters(url: ["id": id]) } else { .request }
    }

    var isAuthenticationNeeded: Bool { if case .list = self { true } else { false } }
}
