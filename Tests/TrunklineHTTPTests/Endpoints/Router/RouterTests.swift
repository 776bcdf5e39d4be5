import Foundation
import Testing
import TrunklineHTTP

@Suite("Routers and routes")
struct RouterTests {
    private let here = NetworkConfiguration(baseURL: URL(string: "https://h/api/"))

    private enum SharedRouter: Router {
        case home
        var route: Route { Route(path: "home") }
    }

    private enum OwnRouter: Router {
        case home
        case absolute

        var route: Route { Route(path: "home", method: .put) }
        var baseURL: URL { get throws(HTTPError) { try URLBuilder.url("https://own/v2?key=1") } }
        var completeURL: URL {
            get throws(HTTPError) {
                guard case .absolute = self else {
                    return try URLBuilder.join(base: try baseURL, path: "\(try route.path.text())!")
                }
                return try URLBuilder.url("https://elsewhere/x")
            }
        }
    }

    // One test, since all of it is about the process-wide configuration.
    @Test("The shared base URL: an error that says what to do while unset, safe to change from every thread")
    func sharedConfiguration() async throws {
        NetworkConfiguration.setCurrentURL(nil)
        #expect(NetworkConfiguration.shared.currentURL == nil)
        let error = #expect(throws: HTTPError.self) { try SharedRouter.home.completeURL }
        #expect(error?.description.contains("NetworkConfiguration.setCurrentURL(_:)") == true)

        let urls = (0..<8).compactMap { URL(string: "https://h\($0)") }
        await withTaskGroup(of: Void.self) { group in
            for url in urls {
                group.addTask {
                    for _ in 0..<200 {
                        NetworkConfiguration.setCurrentURL(url)
                        #expect((try? SharedRouter.home.completeURL)?.host?.hasPrefix("h") == true)
                    }
                }
            }
        }
        #expect(NetworkConfiguration.shared.currentURL.map(urls.contains) == true)
        NetworkConfiguration.setCurrentURL(nil)
    }

    @Test("A route is a value with public fields; a router gives its method and a description")
    func routes() throws {
        var route = Route(path: "films")
        #expect(route.method == .get)
        route.method = .delete
        #expect(route == Route(path: RoutePath("films"), method: .delete))
        let router = FilmRouter.add(here)
        #expect(router.method == .post)
        #expect(router.description == "path: /films, method: POST")
        #expect(FilmRouter.film("a b", here).description == "path: films/a b, method: GET")
    }

    @Test("The complete URL joins base and path; a query in the path stays one")
    func completeURL() throws {
        #expect(try FilmRouter.list(here).completeURL.absoluteString == "https://h/api/films?sort=year")
        #expect(try FilmRouter.add(here).completeURL.absoluteString == "https://h/api/films")
    }

    @Test("Base URL and complete URL can be a router's own")
    func overrides() throws {
        #expect(try OwnRouter.home.completeURL.absoluteString == "https://own/v2/home!?key=1")
        #expect(try OwnRouter.absolute.completeURL.absoluteString == "https://elsewhere/x")
        let request = try OwnRouter.home.makeRequest()
        #expect(request.method == .put && request.url.absoluteString == "https://own/v2/home!?key=1")
    }

    @Test(
        "An interpolated value stays a value",
        arguments: [
            ("Alien", "https://h/api/films/Alien"),
            ("a/b?c#d%20é{x}", "https://h/api/films/a%2Fb%3Fc%23d%2520%C3%A9%7Bx%7D"),
            ("{value 1}", "https://h/api/films/%7Bvalue%201%7D"),
        ])
    func interpolation(title: String, url: String) throws {
        #expect(try FilmRouter.film(title, here).completeURL.absoluteString == url)
    }

    @Test("A dot segment or nothing as a value is refused", arguments: ["..", ".", "", "a/../b"])
    func refusedValues(title: String) {
        #expect(throws: HTTPError.self) { try FilmRouter.film(title, here).completeURL }
    }

    private enum Genre: String { case horror = "hor/ror" }

    @Test("Values of any type, in the path and in the query")
    func typedValues() throws {
        let id: Int? = 7
        let path: RoutePath = "\(Genre.horror)/\(id)/x?q=\("a&b=c d")&page=\(2)"
        #expect(try path.text() == "hor%2Fror/7/x?q=a%26b%3Dc%20d&page=2")
        #expect(path.description == "hor/ror/7/x?q=a&b=c d&page=2")
        let missing: Int? = nil
        #expect(throws: HTTPError.self) { try ("films/\(missing)" as RoutePath).text() }
        #expect(throws: HTTPError.self) { try ("films?q=\([1, 2])" as RoutePath).text() }
        #expect(throws: HTTPError.self) { try ("films/{id}" as RoutePath).text() }
        #expect(try RoutePath("films/%7Bid%7D").text() == "films/%7Bid%7D")
        let mark = "\u{301}?x"
        #expect(try ("a\(mark)" as RoutePath).text() == "a%CC%81%3Fx")
    }
}
