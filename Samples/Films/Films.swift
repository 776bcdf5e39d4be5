import Foundation
import TrunklineHTTP

/// Routers say where, builders say what, parsers say how the answer is read; anything that executes requests can be put
/// behind them.
@main
@MainActor
struct Films {
    static func main() async {
        do {
            let server = try FilmServer.start()
            defer { server.stop() }
            NetworkConfiguration.setCurrentURL(server.baseURL)
            let films = FilmLibrary(requester: SessionManager.default)
            print("Films before 1964")
            for film in try await films.list(before: 1964) {
                print("  \(film.year)  \(film.title): \(film.people.joined(separator: ", "))")
            }
            print("Films in all: \(try await films.count())")
            print("8½ is from \(try await films.film("8½").year)")
            try await films.rate("8½", stars: 5)
            print("8½ has five stars now")
            await show("Alien") { _ = try await films.film("Alien") }
            await show("Rating without a token") { try await films.rate("M", stars: 1, token: nil) }
        } catch {
            print("Films: \(error)")
            exit(EXIT_FAILURE)
        }
    }

    private static func show(_ what: String, _ work: () async throws -> Void) async {
        do {
            try await work()
        } catch {
            print("\(what): \(error)")
        }
    }
}

/// The films as the rest of an app sees them.
struct FilmLibrary {
    let requester: any Requester

    func list(before year: Int) async throws -> [Film] {
        let factory = RequestFactory(router: FilmRouter.list, requestBuilder: .addURLParams(["before": year]))
        return try await requester.execute(RequestType<[Film]>(requestFactory: factory))
    }

    /// Read from a header field: a parser sees the whole response.
    func count() async throws -> Int {
        let request = RequestType(
            requestFactory: RequestFactory(router: FilmRouter.list),
            requestParser: .response { Int($0.headers["X-Total"] ?? "") ?? 0 })
        return try await requester.execute(request)
    }

    func film(_ title: String) async throws -> Film {
        try await requester.execute(
            RequestType(requestFactory: RequestFactory(router: FilmRouter.film(title: title))))
    }

    func rate(_ title: String, stars: Int, token: String? = "critic") async throws {
        let builder = RequestBuilder.compose(
            token.map { .signed($0) } ?? .identity, .encode(["stars": stars], .form))
        let factory = RequestFactory(router: FilmRouter.stars(title: title), requestBuilder: builder)
        try await requester.execute(RequestType<Void>(requestFactory: factory))
    }
}
