import Foundation
import Testing
import TrunklineTesting

@Suite("Loopback server: ready-made routes")
struct StandardRoutesTests {
    private let server: LoopbackServer
    private let session: SessionManager

    init() throws {
        server = try LoopbackServer { $0.addStandardRoutes() }
        var configuration = SessionConfiguration()
        configuration.retry = .never
        session = SessionManager(configuration: configuration, transport: DefaultTransport.make())
    }

    /// Sends by hand: no redirects, no validation.
    private func send(
        _ method: HTTPMethod = .get, _ path: String, headers: HTTPHeaders = [:], body: RequestBody? = nil
    ) async throws -> HTTPResponse {
        var headers = headers
        if let type = body?.contentType { headers.setDefault("Content-Type", type) }
        let request = try request(
            method, path, base: server.baseURL.absoluteString, headers: headers, body: body)
        return try await session.transport.answer(request)
    }

    private func json(_ response: HTTPResponse) throws -> JSONValue { try JSONValue(parsing: response.data) }

    @Test(
        "Every method is echoed with query, header fields and content",
        arguments: ["post", "put", "patch", "delete", "anything"])
    func echo(_ name: String) async throws {
        let method = name == "anything" ? HTTPMethod(rawValue: "PURGE") : HTTPMethod(rawValue: name.uppercased())
        let response = try await send(
            method, "/\(name)?a=1&a=2&b=x%20y", headers: ["X-One": "1"], body: .data(Data(#"{"k":[1]}"#.utf8)))
        let echo = try json(response)
        #expect(echo["args"] == ["a": ["1", "2"], "b": "x y"])
        #expect(echo["json"] == ["k": [1]])
        #expect(echo["data"] == #"{"k":[1]}"#)
        #expect(echo["headers"]?["X-One"] == "1")
        #expect(echo["method"]?.string == method.rawValue)
        #expect(echo["url"]?.string == "\(server.baseURL)/\(name)?a=1&a=2&b=x%20y")
        if name != "anything" { #expect(try await send(.get, "/\(name)").statusCode == 404) }
    }

    @Test("Forms and multipart forms are taken apart")
    func forms() async throws {
        let form = try json(
            await send(
                .post, "/post", headers: ["Content-Type": "application/x-www-form-urlencoded"],
                body: .data(Data("a=1+2&b=%C3%A9".utf8))))
        #expect(form["form"] == ["a": "1 2", "b": "é"])
        var parts = MultipartFormData()
        parts.append("Emma", name: "title")
        parts.append(Data([0xFF, 0xFE]), name: "cover", fileName: "c.png", contentType: "image/png")
        let multipart = try json(await send(.post, "/post", body: try .multipart(parts)))
        #expect(multipart["form"] == ["title": "Emma"])
        #expect(multipart["files"] == ["cover": "data:application/octet-stream;base64,//4="])
    }

    @Test("Statuses, alone and in turn; what is none is refused")
    func statuses() async throws {
        #expect(try await send(.get, "/status/418").statusCode == 418)
        #expect(try await send(.get, "/status/401").headers["WWW-Authenticate"]?.hasPrefix("Basic ") == true)
        #expect(try await send(.get, "/status/302").headers["Location"] == "/get")
        var turns: [Int] = []
        for _ in 0..<3 { turns.append(try await send(.post, "/status/503,200").statusCode) }
        #expect(turns == [503, 200, 503])
        for bad in ["x", "99", "1000", "100", ""] { #expect(try await send(.get, "/status/\(bad)").statusCode >= 400) }
    }

    @Test("Redirects lead to their end", arguments: ["/redirect/3", "/relative-redirect/3", "/absolute-redirect/3"])
    func redirects(_ path: String) async throws {
        let response = try await session.request(server.baseURL.absoluteString + path).response()
        #expect(response.url.path == "/get")
        #expect(server.requestCount == 4)
        #expect(try await send(.get, "/redirect/0").statusCode == 400)
        let to = try await send(.get, "/redirect-to?url=%2Fcache&status_code=307")
        #expect(to.statusCode == 307 && to.headers["Location"] == "/cache")
        #expect(try await send(.get, "/redirect-to").statusCode == 400)
        #expect(try await send(.get, "/redirect-to?url=%0D%0AX:1").statusCode == 400)
    }

    @Test("Cookies are set, shown and deleted")
    func cookies() async throws {
        var configuration = SessionConfiguration()
        configuration.cookies = CookieStore()
        let session = SessionManager(configuration: configuration, transport: DefaultTransport.make())
        let base = server.baseURL.absoluteString
        let set = try await session.request(base + "/cookies/set?a=1&b=2").response()
        #expect(try json(set) == ["cookies": ["a": "1", "b": "2"]])
        let more = try await session.request(base + "/cookies/set/c/3").response()
        #expect(try json(more)["cookies"]?["c"] == "3")
        let fewer = try await session.request(base + "/cookies/delete?a").response()
        #expect(try json(fewer) == ["cookies": ["b": "2", "c": "3"]])
    }

    @Test("Basic and Bearer credentials are asked for and checked")
    func credentials() async throws {
        let basic: HTTPHeaders = ["Authorization": "Basic " + Data("u:p".utf8).base64EncodedString()]
        #expect(try await send(.get, "/basic-auth/u/p").statusCode == 401)
        #expect(try await send(.get, "/basic-auth/u/p", headers: basic).statusCode == 200)
        #expect(try await send(.get, "/basic-auth/u/q", headers: basic).statusCode == 401)
        #expect(try await send(.get, "/hidden-basic-auth/u/p").statusCode == 404)
        #expect(try await send(.get, "/bearer").statusCode == 401)
        let bearer = try await send(.get, "/bearer", headers: ["Authorization": "Bearer abc"])
        #expect(try json(bearer)["token"] == "abc")
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
            try await send(.post, "/digest-auth/auth-int/u/p", body: .text("abc"))
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
            let response = try await send(
                .post, "/digest-auth/auth-int/u/p", headers: ["Authorization": field], body: .text(body))
            return (response.statusCode, response.headers["WWW-Authenticate"] ?? "")
        }
        #expect(try await status(nonce: String(nonce), body: "abc").0 == 200)
        #expect(try await status(nonce: String(nonce), body: "abd").0 == 401)
        #expect(try await status(nonce: "other", body: "abc").1.hasSuffix("stale=TRUE"))
        #expect(try await send(.get, "/digest-auth/auth/u/p/SHA-1").statusCode == 400)
    }

    @Test("Bodies are of the size and content asked for")
    func bodies() async throws {
        #expect(try await send(.get, "/bytes/1000?seed=5").data == LoopbackPattern(seed: 5).bytes(count: 1000))
        #expect(try await send(.get, "/stream-bytes/1000?chunk_size=7").data == LoopbackPattern().bytes(count: 1000))
        let lines = try await send(.get, "/stream/3").data.split(separator: UInt8(ascii: "\n"))
        #expect(try lines.map { try JSONValue(parsing: Data($0))["id"]?.int } == [0, 1, 2])
        #expect(try await send(.get, "/base64/SGVsbG8=").data == Data("Hello".utf8))
        #expect(try await send(.get, "/base64/!").statusCode == 400)
        for bad in ["/bytes/-1", "/bytes/x", "/bytes/99999999999999999999", "/stream/-2", "/range/y", "/delay/99"] {
            #expect(try await send(.get, bad).statusCode == 400, "\(bad)")
        }
        for path in [
            "/json", "/html", "/xml", "/robots.txt", "/encoding/utf8", "/uuid", "/ip", "/headers", "/user-agent",
        ] {
            let response = try await send(.get, path)
            #expect(response.statusCode == 200 && !response.data.isEmpty, "\(path)")
        }
        let gzip = try await send(.get, "/gzip?a=1")
        #expect(try json(gzip)["args"] == ["a": "1"])
        #expect(gzip.headers["Content-Encoding"] == "gzip")
        let upload = try await send(.put, "/upload", body: .data(Data("abc".utf8)))
        #expect(
            try json(upload) == [
                "bytes": 3, "sha256": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            ])
    }

    /// A `Range` field, the status, the part and its `Content-Range`, of ten bytes.
    static let rangeRows: [(field: String, status: Int, part: Range<Int>, contentRange: String?)] = [
        ("bytes=2-4", 206, 2..<5, "bytes 2-4/10"), ("bytes=8-", 206, 8..<10, "bytes 8-9/10"),
        ("bytes=-3", 206, 7..<10, "bytes 7-9/10"), ("bytes=-99", 206, 0..<10, "bytes 0-9/10"),
        ("bytes=0-99", 206, 0..<10, "bytes 0-9/10"), ("bytes=10-", 416, 0..<0, "bytes */10"),
        ("bytes=-0", 416, 0..<0, "bytes */10"), ("bytes=4-2", 200, 0..<10, nil),
        ("bytes=0-1,3-4", 200, 0..<10, nil), ("lines=0-1", 200, 0..<10, nil), ("bytes=x-", 200, 0..<10, nil),
        ("bytes=0-9223372036854775807", 206, 0..<10, "bytes 0-9/10"),
    ]

    @Test("Ranges are answered as RFC 9110 says", arguments: rangeRows)
    func ranges(_ row: (field: String, status: Int, part: Range<Int>, contentRange: String?)) async throws {
        let whole = LoopbackPattern().bytes(count: 10)
        let response = try await send(.get, "/range/10", headers: ["Range": row.field])
        #expect(response.statusCode == row.status)
        #expect(response.headers["Content-Range"] == row.contentRange)
        if row.status != 416 { #expect(response.data == whole[row.part]) }
        let stale = try await send(.get, "/range/10", headers: ["Range": row.field, "If-Range": "\"other\""])
        #expect(stale.statusCode == 200 && stale.data == whole)
    }

    @Test("Caching: tags, 304, 412, ages, fields of choice")
    func caching() async throws {
        #expect(try await send(.get, "/etag/abc").headers["ETag"] == "\"abc\"")
        for (field, status) in [("\"abc\"", 304), ("*", 304), ("\"x\", W/\"abc\"", 304), ("\"x,abc\"", 200)] {
            #expect(
                try await send(.get, "/etag/abc", headers: ["If-None-Match": field]).statusCode == status, "\(field)")
        }
        #expect(try await send(.get, "/etag/abc", headers: ["If-Match": "\"x\""]).statusCode == 412)
        #expect(try await send(.get, "/cache").headers.contains("Last-Modified"))
        #expect(try await send(.get, "/cache", headers: ["If-Modified-Since": "x"]).statusCode == 304)
        #expect(try await send(.get, "/cache/60").headers["Cache-Control"] == "public, max-age=60")
        let fields = try await send(.get, "/response-headers?X-A=1&X-A=2")
        #expect(fields.headers.values(for: "X-A") == ["1", "2"])
        #expect(try await send(.get, "/response-headers?X-A=1%0D%0AX-B:2").statusCode == 400)
    }

    @Test("An event stream is heard, and goes on after the last event")
    func events() async throws {
        let response = try await send(.get, "/events/4", headers: ["Last-Event-ID": "2"])
        #expect(response.headers["Content-Type"] == "text/event-stream")
        #expect(String(decoding: response.data, as: UTF8.self) == "id: 3\ndata: event 3\n\nid: 4\ndata: event 4\n\n")
        for id in ["-9223372036854775808", "9223372036854775807", "x"] {
            #expect(try await send(.get, "/events/1", headers: ["Last-Event-ID": id]).statusCode == 200)
        }
    }

    @Test("Faults fail as they should", arguments: ["close", "reset", "truncated", "chunk", "garbage"])
    func faults(_ name: String) async throws {
        let error = await #expect(throws: HTTPError.self) { _ = try await send(.get, "/fault/\(name)") }
        switch (name, error) {
        case ("garbage", .invalidResponse), ("garbage", .connectionLost), ("garbage", .connectionFailed): break
        case ("chunk", .invalidResponse), ("chunk", .connectionLost): break
        case (_, .connectionLost): break
        default: Issue.record("\(name): \(String(describing: error))")
        }
    }

    @Test("A fault that hangs is a timeout; the drip drips")
    func slow() async throws {
        let request = try request(.get, "/fault/hang", base: server.baseURL.absoluteString)
        let error = await #expect(throws: HTTPError.self) {
            _ = try await session.transport.answer(request, timeouts: Timeouts(idle: .milliseconds(1500)))
        }
        guard case .timedOut(.idle)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try await send(.get, "/drip?numbytes=5&duration=0.05").data == Data("*****".utf8))
        #expect(try await send(.get, "/delay/0.05").statusCode == 200)
    }

    @Test("The WebSocket echoes", .enabled(if: curlIsThere))
    func webSocket() async throws {
        let socket = session.webSocket("\(server.baseURL)/echo")
        _ = try await socket.opened()
        try await socket.send(.text("hello"))
        var iterator = socket.messages.makeAsyncIterator()
        #expect(try await iterator.next() == .text("hello"))
        try socket.close()
        #expect(try await send(.get, "/echo").statusCode == 426)
    }

    @Test("Routes of the test's own go first")
    func own() async throws {
        server.route(.get, "/get", respond: .text("mine"))
        #expect(try await send(.get, "/get").data == Data("mine".utf8))
    }
}
