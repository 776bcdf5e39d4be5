import TrunklineTesting

/// The sample's own backend on 127.0.0.1: an app has a real one.
enum FilmServer {
    static let films = [
        Film(title: "Metropolis", year: 1927, people: ["Brigitte Helm", "Gustav Fröhlich"]),
        Film(title: "M", year: 1931, people: ["Peter Lorre"]),
        Film(title: "8½", year: 1963, people: ["Marcello Mastroianni", "Claudia Cardinale"]),
        Film(title: "Playtime", year: 1967, people: ["Jacques Tati"]),
    ]

    static func start() throws -> LoopbackServer {
        try LoopbackServer { server in
            server.route(.get, "/films") { request in
                let before = request.query("before").flatMap { Int($0) } ?? .max
                return .json(films.filter { $0.year < before }, headers: ["X-Total": "\(films.count)"])
            }
            server.route(.get, "/films/{title}") { request in
                guard let film = films.first(where: { $0.title == request["title"] }) else {
                    return .json(["message": "No such film."], status: 404)
                }
                return .json(film)
            }
            server.route(.put, "/films/{title}/stars") { request in
                .status(request.headers["X-Token"] == "critic" && request.form("stars") != nil ? 204 : 403)
            }
        }
    }
}
