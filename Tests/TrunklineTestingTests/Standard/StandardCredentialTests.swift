import Foundation
import Testing
import TrunklineTesting

@Suite("Loopback server: ready-made routes for credentials")
struct StandardCredentialTests {
    private let standard: StandardServer
    private var server: LoopbackServer { standard.server }
    private var session: SessionManager { standard.session }

    init() throws { standard = try StandardServer() }

    @Test("Basic and Bearer credentials are asked for and checked")
    func credentials() async throws {
        let basic: HTTPHeaders = ["Authorization": "Basic " + Data("u:p".utf8).base64EncodedString()]
        #expect(try await standard.send(.get, "/basic-auth/u/p").statusCode == 401)
        #expect(try await standard.send(.get, "/basic-auth/u/p", headers: basic).statusCode == 200)
        #expect(try await standard.send(.get, "/basic-auth/u/q", headers: basic).statusCode == 401)
        #expect(try await standard.send(.get, "/hidden-basic-auth/u/p").statusCode == 404)
        #expect(try await standard.send(.get, "/bearer").statusCode == 401)
        let bearer = try await standard.send(.get, "/bearer", headers: ["Authorization": "Bearer abc"])
        #expect(try standard.json(bearer)["token"] == "abc")
    }

    @Test(
        "Digest: the library's client comes in with the right password, and only with it",
        arguments: ["MD5", "MD5-sess", "SHA-256", "SHA-256-sess"], ["auth", "any"])
    func digest(_ algorithm: String, _ qop: String) async throws {
        func status(_ password: String) async throws -> Int {
            var configuration = SessionConfiguration()
            configuration.authentication = DigestAuthentication(
                username: "u", password: password, origins: [Origin(server.baseURL)])
            let session = SessionManager(configuration: configuration, transport: DefaultTransport.make())
            let url = server.baseURL.absoluteString + "/digest-auth/\(qop)/u/p/\(algorithm)"
            do {
                return try await session.request(url).response().statusCode
            } catch {
                return HTTPError(error).response?.statusCode ?? 0
            }
        }
        #expect(try await status("p") == 200)
        #expect(try await status("q") == 401)
    }

    @Test("Digest with auth-int covers the content; a nonce of another server is stale")
    func digestWithContent() async throws {
        let challenge =
            try await standard.send(.post, "/digest-auth/auth-int/u/p", body: .text("abc"))
            .headers["WWW-Authenticate"] ?? ""
        let nonce = challenge.split(separator: "nonce=\"").dropFirst().first?.prefix { $0 != "\"" } ?? ""
        #expect(challenge.contains("qop=\"auth-int\"") && nonce.count > 16)
        func status(nonce: String, body: String) async throws -> (Int, String) {
            func hash(_ text: String) -> String { MD5Digest.hex(of: Array(text.utf8)) }
            let second = hash("POST:/digest-auth/auth-int/u/p:" + hash("abc"))
            let proof = hash("\(hash("u:Loopback:p")):\(nonce):00000001:c:auth-int:\(second)")
            let field =
                "Digest username=\"u\", realm=\"Loopback\", nonce=\"\(nonce)\", uri=\"/digest-auth/auth-int/u/p\", "
                + "qop=auth-int, nc=00000001, cnonce=\"c\", response=\"\(proof)\""
            let response = try await standard.send(
                .post, "/digest-auth/auth-int/u/p", headers: ["Authorization": field], body: .text(body))
            return (response.statusCode, response.headers["WWW-Authenticate"] ?? "")
        }
        #expect(try await status(nonce: String(nonce), body: "abc").0 == 200)
        #expect(try await status(nonce: String(nonce), body: "abd").0 == 401)
        #expect(try await status(nonce: "other", body: "abc").1.hasSuffix("stale=TRUE"))
        #expect(try await standard.send(.get, "/digest-auth/auth/u/p/SHA-1").statusCode == 400)
    }

    @Test("Cookies are set, shown and deleted")
    func cookies() async throws {
        var configuration = SessionConfiguration()
        configuration.cookies = CookieStore()
        let session = SessionManager(configuration: configuration, transport: DefaultTransport.make())
        let base = server.baseURL.absoluteString
        let set = try await session.request(base + "/cookies/set?a=1&b=2").response()
        #expect(try standard.json(set) == ["cookies": ["a": "1", "b": "2"]])
        let more = try await session.request(base + "/cookies/set/c/3").response()
        #expect(try standard.json(more)["cookies"]?["c"] == "3")
        let fewer = try await session.request(base + "/cookies/delete?a").response()
        #expect(try standard.json(fewer) == ["cookies": ["b": "2", "c": "3"]])
    }
}
