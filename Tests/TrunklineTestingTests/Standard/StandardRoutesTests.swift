import Foundation
import Testing
import TrunklineTesting

@Suite("Loopback server: ready-made routes")
struct StandardRoutesTests {
    private let standard: StandardServer
    private var server: LoopbackServer { standard.server }
    private var session: SessionManager { standard.session }

    init() throws { standard = try StandardServer() }

    @Test(
        "Every method is echoed with query, header fields and content",
        arguments: ["post", "put", "patch", "delete", "anything"])
    func echo(_ name: String) async throws {
        let method = name == "anything" ? HTTPMethod(rawValue: "PURGE") : HTTPMethod(rawValue: name.uppercased())
        let response = try await standard.send(
            method, "/\(name)?a=1&a=2&b=x%20y", headers: ["X-One": "1"], body: .data(Data(#"{"k":[1]}"#.utf8)))
        let echo = try standard.json(response)
        #expect(echo["args"] == ["a": ["1", "2"], "b": "x y"])
        #expect(echo["json"] == ["k": [1]])
        #expect(echo["data"] == #"{"k":[1]}"#)
        #expect(echo["headers"]?["X-One"] == "1")
        #expect(echo["method"]?.string == method.rawValue)
        #expect(echo["url"]?.string == "\(server.baseURL)/\(name)?a=1&a=2&b=x%20y")
        if name != "anything" { #expect(try await standard.send(.get, "/\(name)").statusCode == 404) }
    }

    @Test("Forms and multipart forms are taken apart")
    func forms() async throws {
        let form = try standard.json(
            await standard.send(
                .post, "/post", headers: ["Content-Type": "application/x-www-form-urlencoded"],
                body: .data(Data("a=1+2&b=%C3%A9".utf8))))
        #expect(form["form"] == ["a": "1 2", "b": "é"])
        var parts = MultipartFormData()
        parts.append("Emma", name: "title")
        parts.append(Data([0xFF, 0xFE]), name: "cover", fileName: "c.png", contentType: "image/png")
        let multipart = try standard.json(await standard.send(.post, "/post", body: try .multipart(parts)))
        #expect(multipart["form"] == ["title": "Emma"])
        #expect(multipart["files"] == ["cover": "data:application/octet-stream;base64,//4="])
    }

    @Test("Statuses, alone and in turn; what is none is refused")
    func statuses() async throws {
        #expect(try await standard.send(.get, "/status/418").statusCode == 418)
        #expect(try await standard.send(.get, "/status/401").headers["WWW-Authenticate"]?.hasPrefix("Basic ") == true)
        #expect(try await standard.send(.get, "/status/302").headers["Location"] == "/get")
        var turns: [Int] = []
        for _ in 0..<3 { turns.append(try await standard.send(.post, "/status/503,200").statusCode) }
        #expect(turns == [503, 200, 503])
        for bad in ["x", "99", "1000", "100", ""] {
            #expect(try await standard.send(.get, "/status/\(bad)").statusCode >= 400)
        }
    }

    @Test("Redirects lead to their end", arguments: ["/redirect/3", "/relative-redirect/3", "/absolute-redirect/3"])
    func redirects(_ path: String) async throws {
        let response = try await session.request(server.baseURL.absoluteString + path).response()
        #expect(response.url.path == "/get")
        #expect(server.requestCount == 4)
        #expect(try await standard.send(.get, "/redirect/0").statusCode == 400)
        let to = try await standard.send(.get, "/redirect-to?url=%2Fcache&status_code=307")
        #expect(to.statusCode == 307 && to.headers["Location"] == "/cache")
        #expect(try await standard.send(.get, "/redirect-to").statusCode == 400)
        #expect(try await standard.send(.get, "/redirect-to?url=%0D%0AX:1").statusCode == 400)
    }

    @Test("Faults fail as they should", arguments: ["close", "reset", "truncated", "chunk", "garbage"])
    func faults(_ name: String) async throws {
        let error = await #expect(throws: HTTPError.self) { _ = try await standard.send(.get, "/fault/\(name)") }
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
        #expect(try await standard.send(.get, "/drip?numbytes=5&duration=0.05").data == Data("*****".utf8))
        #expect(try await standard.send(.get, "/delay/0.05").statusCode == 200)
    }

    @Test("The WebSocket echoes", .enabled(if: curlIsThere))
    func webSocket() async throws {
        let socket = session.webSocket("\(server.baseURL)/echo")
        _ = try await socket.opened()
        try await socket.send(.text("hello"))
        var iterator = socket.messages.makeAsyncIterator()
        #expect(try await iterator.next() == .text("hello"))
        try socket.close()
        #expect(try await standard.send(.get, "/echo").statusCode == 426)
    }

    @Test("Routes of the test's own go first")
    func own() async throws {
        server.route(.get, "/get", respond: .text("mine"))
        #expect(try await standard.send(.get, "/get").data == Data("mine".utf8))
    }
}
