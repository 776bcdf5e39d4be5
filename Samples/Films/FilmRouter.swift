import TrunklineHTTP

struct Film: Codable, Sendable {
    let title: String
    let year: Int
    let people: [String]
}

/// The addresses of the films, one case each.
enum FilmRouter: Router {
    case list
    case film(title: String)
    case stars(title: String)

    var route: Route {
        switch self {
        case .list: Route(path: "films")
        case .film(let title): Route(path: "films/\(title)")
        case .stars(let title): Route(path: "films/\(title)/stars", method: .put)
        }
    }
}

extension RequestBuilder {
    /// What every signed call carries: a builder of the app's own, made of the library's.
    static func signed(_ token: String) -> RequestBuilder {
        .compose(.addHeaders(["X-Token": token]), .set(to: \.options.timeouts, Timeouts(total: .seconds(5))))
    }
}
