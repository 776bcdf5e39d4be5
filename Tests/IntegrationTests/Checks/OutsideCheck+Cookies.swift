import Foundation
import Testing
import TrunklineHTTP

extension OutsideCheck {
    /// Cookies, which the library keeps itself and only where a session has a store.
    static let cookies: [OutsideCheck] = [
        OutsideCheck("Cookies are kept from a redirect and sent back") { outside in
            var configuration = SessionConfiguration()
            configuration.cookies = CookieStore()
            let session = outside.session(configuration)
            let set = try await session.request(.get("/cookies/set/shelf/upper", base: outside.httpbin))
                .value(of: JSONValue.self)
            #expect(set["cookies"] == ["shelf": "upper"])
            _ = try await session.send(.get("/cookies/set?row=4", base: outside.httpbin))
            let both = try await session.request(.get("/cookies", base: outside.httpbin)).value(of: JSONValue.self)
            #expect(both["cookies"] == ["shelf": "upper", "row": "4"])
            let left = try await session.request(.get("/cookies/delete?shelf", base: outside.httpbin))
                .value(of: JSONValue.self)
            #expect(left["cookies"] == ["row": "4"])
        },
        OutsideCheck("Without a store nothing is kept") { outside in
            let session = outside.session()
            _ = try await session.send(.get("/cookies/set/shelf/upper", base: outside.httpbin))
            let json = try await session.request(.get("/cookies", base: outside.httpbin)).value(of: JSONValue.self)
            #expect(json["cookies"] == [:])
        },
        OutsideCheck("A cookie does not go to another port's path it was not set for") { outside in
            let store = CookieStore()
            var configuration = SessionConfiguration()
            configuration.cookies = store
            let session = outside.session(configuration)
            _ = try await session.send(
                .get("/response-headers", base: outside.httpbin, parameters: ["Set-Cookie": "a=1; Path=/only/here"]))
            #expect(store.cookies.map(\.name) == ["a"])
            let json = try await session.request(.get("/cookies", base: outside.httpbin)).value(of: JSONValue.self)
            #expect(json["cookies"] == [:])
        },
    ]
}
