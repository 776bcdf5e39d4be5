import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite struct CookieTests {
    private static let now = Date(timeIntervalSince1970: 1_700_000_000)

    private func cookie(_ line: String, _ url: String = "https://www.example.com/a/b") throws -> Cookie? {
        CookieParser.cookie(line, from: try #require(URL(string: url)), now: Self.now)
    }

    @Test(arguments: [
        ("a=1", "a", "1"), (" a = 1 ", "a", "1"), ("a=\"q\"", "a", "\"q\""), ("a=b=c", "a", "b=c"), ("a=", "a", ""),
        ("a=1; unknown; Path", "a", "1"), ("a=1;;;", "a", "1"),
    ])
    func `lines that make a cookie`(line: String, name: String, value: String) throws {
        let cookie = try #require(try cookie(line))
        #expect(cookie.name == name && cookie.value == value)
        #expect(cookie.domain == "www.example.com" && cookie.isHostOnly && cookie.path == "/a")
        #expect(cookie.expires == nil && !cookie.isSecure)
    }

    @Test(arguments: [
        "", "a", "=1", "a=1; Domain=other.com", "a=1; Domain=com", "a=1; Domain=ample.com", "a=\u{1}",
        "__Host-a=1; Secure; Path=/; Domain=www.example.com", "__Secure-a=1",
        "a=" + String(repeating: "x", count: 5000),
    ])
    func `lines that make none`(line: String) throws {
        #expect(try cookie(line) == nil)
    }

    @Test func `attributes`() throws {
        let full = try #require(
            try cookie("a=1; Domain=.Example.com; path=/x; Expires=Wed, 21 Oct 2099 07:28:00 GMT; SECURE; HttpOnly"))
        #expect(full.domain == "example.com" && !full.isHostOnly && full.path == "/x")
        #expect(full.isSecure && full.isHTTPOnly && full.expires == Date(timeIntervalSince1970: 4_096_250_880))
        #expect(try cookie("a=1; Max-Age=10; Expires=Wed, 21 Oct 2099 07:28:00 GMT")?.expires == Self.now + 10)
        #expect(try cookie("a=1; Max-Age=0")?.isExpired(at: Self.now) == true)
        #expect(try cookie("a=1; Max-Age=-5")?.isExpired(at: Self.now) == true)
        #expect(try cookie("a=1; Max-Age=99999999999999999999")?.isExpired(at: Self.now) == false)
        #expect(try cookie("a=1; Max-Age=soon")?.expires == nil)
        #expect(try cookie("a=1; Path=x")?.path == "/a")
        #expect(try cookie("a=1; Secure", "http://h/") == nil)
        #expect(try cookie("a=1; Domain=127.0.0.1", "http://127.0.0.1/")?.isHostOnly == true)
    }

    @Test(arguments: [
        ("Wed, 21 Oct 2099 07:28:00 GMT", 4_096_250_880), ("Wednesday, 21-Oct-99 07:28:00 GMT", 940_490_880),
        ("Wed Oct 21 07:28:00 2099", 4_096_250_880), ("21 Oct 2099 7:28:00", 4_096_250_880),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("01-Jan-70 0:0:1", 1),
    ])
    func `dates`(text: String, seconds: Int) {
        #expect(CookieDate.parse(text) == Date(timeIntervalSince1970: TimeInterval(seconds)))
    }

    @Test(arguments: [
        "", "soon", "32 Jan 2020 00:00:00", "30 Feb 2020 00:00:00", "1 Jan 1600 00:00:00", "1 Jan 2020 24:00:00",
    ])
    func `no dates`(text: String) {
        #expect(CookieDate.parse(text) == nil)
    }

    @Test func `which requests a cookie goes with`() throws {
        let store = CookieStore()
        func header(_ url: String) throws -> String? { store.header(for: try #require(URL(string: url)), at: Self.now) }
        store.set(Cookie(name: "host", value: "1", domain: "a.example.com"))
        store.set(Cookie(name: "wide", value: "2", domain: "example.com", isHostOnly: false, isSecure: true))
        store.set(Cookie(name: "deep", value: "3", domain: "a.example.com", path: "/x/y"))
        #expect(try header("http://a.example.com/") == "host=1")
        #expect(try header("https://a.example.com/x/y/z") == "deep=3; host=1; wide=2")
        #expect(try header("https://a.example.com/x/yz") == "host=1; wide=2")
        #expect(try header("https://b.example.com/") == "wide=2")
        #expect(try header("https://badexample.com/") == nil)
        store.set(Cookie(name: "host", value: "", domain: "a.example.com", expires: .distantPast))
        #expect(try header("http://a.example.com/") == nil)
    }

    @Test func `joined lines are taken apart, dates are not`() {
        #expect(
            SetCookieLines.split("a=1; Expires=Wed, 21 Oct 2099 07:28:00 GMT; Path=/, b=2,c=3")
                == ["a=1; Expires=Wed, 21 Oct 2099 07:28:00 GMT; Path=/", "b=2", "c=3"])
        #expect(SetCookieLines.split("") == [""])
        #expect(SetCookieLines.split(",,a=1") == [",", "a=1"])
    }

    @Test func `limits give way to the newest`() {
        let store = CookieStore()
        for index in 0..<80 { store.set(Cookie(name: "c\(index)", value: "", domain: "h")) }
        #expect(store.cookies.count == CookieStore.limitPerDomain && store.cookies.last?.name == "c79")
    }

    @Test func `cookies with an end date survive in their file, others don't`() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())/cookies")
        defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
        let store = CookieStore(file: file)
        store.set(Cookie(name: "lasting", value: "1", domain: "h", expires: .distantFuture))
        store.set(Cookie(name: "session", value: "1", domain: "h"))
        store.flush()
        #expect(CookieStore(file: file).cookies.map(\.name) == ["lasting"])
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
        try Data("garbage".utf8).write(to: file)
        #expect(CookieStore(file: file).cookies.isEmpty)
        store.removeAll()
        store.flush()
        #expect(CookieStore(file: file).cookies.isEmpty)
    }

    @Test(arguments: TransportKind.allCases)
    func `a session sends what it was given, over redirects, and a caller's own wins`(kind: TransportKind) async throws
    {
        let server = try LoopbackServer { server in
            server.route(
                .get, "/login",
                respond: .redirect(to: "/home").addingHeader("Set-Cookie", "sid=1; Path=/; HttpOnly")
                    .addingHeader("Set-Cookie", "theme=dark; Max-Age=100"))
            server.route(.get, "/home", respond: .text("home"))
        }
        let store = CookieStore()
        let session = kind.session(SessionConfiguration(cookies: store))
        _ = try await session.send(try #require(server.url("/login")))
        #expect(server.requests.map { $0.headers["Cookie"] } == [nil, "sid=1; theme=dark"])
        _ = try await session.send(HTTPRequest(url: try #require(server.url("/home")), headers: ["Cookie": "mine=1"]))
        #expect(server.requests.last?.headers["Cookie"] == "mine=1")
        let without = kind.session()
        _ = try await without.send(try #require(server.url("/home")))
        #expect(server.requests.last?.headers["Cookie"] == nil)
    }
}
