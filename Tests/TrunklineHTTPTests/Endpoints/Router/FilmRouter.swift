import Foundation
import TrunklineHTTP

/// A router as an app would write it, with a configuration of its own so that tests don't share a base URL.
enum FilmRouter: Router {
    case list(NetworkConfiguration)
    case film(String, NetworkConfiguration)
    case add(NetworkConfiguration)

    var configuration: NetworkConfiguration {
        switch self {
        case .list(let configuration), .film(_, let configuration), .add(let configuration): configuration
        }
    }

    var route: Route {
        switch self {
        case .list: Route(path: "films?sort=year")
        case .film(let title, _): Route(path: "films/\(title)")
        case .add: Route(path: "/films", method: .post)
        }
    }
}

struct Film: Codable, Sendable, Equatable {
    var title: String
    var year: Int
}
