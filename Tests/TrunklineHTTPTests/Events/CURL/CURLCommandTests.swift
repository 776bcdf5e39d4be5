import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite("Requests as curl commands")
struct CURLCommandTests {
    private static let shell = URL(fileURLWithPath: "/bin/sh")

    private func run(_ command: String) async throws -> ChildProcess.Result {
        try await HeavyWork.run { try ChildProcess.run(Self.shell, ["-c", command], limit: 30) }
    }

    private static let hasCurl = FileManager.default.isExecutableFile(atPath: "/usr/bin/curl")
    private static let body = "it's $HOME `id` \"q\" \\ !x\n2"

    private func request(to server: LoopbackServer) throws -> HTTPRequest {
        try server.request(
            .post, "/e?$filter=a%20eq%20'USD'&x=1",
            headers: ["Authorization": "Bearer SECRET1", "cookie": "sid=SECRET2", "X-Q": "a\"b", "X-Empty": ""],
            body: .data(Data(Self.body.utf8), contentType: "text/plain"))
    }

    /// Case A39.
    @Test("The command sends what the library sends, whatever a shell would make of it", .enabled(if: hasCurl))
    func runs() async throws {
        let server = try LoopbackServer { $0.fallback(respond: .text("ok")) }
        let request = try request(to: server)
        let session = SessionManager(configuration: SessionConfiguration(headers: [:]))
        _ = try await session.send(request)
        #expect(try await run(request.cURLDescription(redacting: .none)).exitStatus == 0)
        let sent = server.requests
        try #require(sent.count == 2)
        #expect(sent[0].target == sent[1].target && sent[0].method == sent[1].method)
        #expect(sent[0].target == "/e?$filter=a%20eq%20'USD'&x=1")
        #expect(sent[1].body == Data(Self.body.utf8) && sent[0].body == sent[1].body)
        for name in ["X-Q", "X-Empty", "Authorization", "Cookie", "Content-Type"] {
            #expect(sent[0].headers[name] == sent[1].headers[name], "\(name)")
        }
    }

    @Test("Secrets are masked by default, their names kept; making the text sends nothing")
    func redaction() throws {
        let server = try LoopbackServer { $0.fallback(respond: .text("ok")) }
        var request = try request(to: server)
        let text = request.cURLDescription()
        #expect(!text.contains("SECRET1") && !text.contains("SECRET2"))
        #expect(text.contains("Authorization: <redacted>") && text.contains("cookie: <redacted>"))
        request.body = .data(
            Data(#"{"user":{"PassWord":"SECRET3","n":1},"pin":"SECRET4"}"#.utf8), contentType: "application/json")
        request.url = try #require(server.url("/e?Access_Token=SECRET5&tok%65n=SECRET6&q=1#f"))
        let json = request.cURLDescription(redacting: .standard.hiding(jsonKeys: ["pin"]))
        for number in 3...6 { #expect(!json.contains("SECRET\(number)"), "\(json)") }
        #expect(json.contains(#""n":1"#) && json.contains("q=1#f") && json.contains("Access_Token=<redacted>"))
        request.body = .data(Data("a=1&client_secret=SECRET7".utf8), contentType: "application/x-www-form-urlencoded")
        request.url = try #require(URL(string: "http://me:SECRET8@h/"))
        let form = request.cURLDescription()
        #expect(!form.contains("SECRET7") && !form.contains("SECRET8") && form.contains("a=1&client_secret=<redacted>"))
        #expect(server.connectionCount == 0)
    }

    @Test("JSON that can't be read, with a secret's name in it, is hidden whole")
    func brokenJSON() throws {
        var request = HTTPRequest(method: .post, url: try #require(URL(string: "http://h/")))
        request.body = .data(Data(#"{"password":"HUSH","#.utf8), contentType: "application/json")
        #expect(!request.cURLDescription().contains("HUSH"))
        request.body = .data(Data(#"{"pass\u0077ord":"HUSH"}"#.utf8), contentType: "application/json")
        #expect(!request.cURLDescription().contains("HUSH"))
    }

    @Test("Bodies that are no text: bytes on standard input, files by name, a leading @ kept", .enabled(if: hasCurl))
    func bodies() async throws {
        let server = try LoopbackServer { $0.fallback(respond: .text("ok")) }
        var request = try server.request(.put, "/")
        request.body = .data(Data([0xFF, 0x00, 0x31]))
        let binary = request.cURLDescription()
        #expect(binary.contains("--data-binary @-") && binary.hasSuffix("# 3 bytes of binary data on standard input"))
        let file = try ScratchFile(Data([0, 1, 2, 0xFF]))
        request.body = try .file(file.url)
        #expect(try await run(request.cURLDescription()).exitStatus == 0)
        request.body = .data(Data("@/etc/hostname".utf8))
        #expect(try await run(request.cURLDescription()).exitStatus == 0)
        request.method = .head
        request.body = nil
        #expect(try await run(request.cURLDescription()).exitStatus == 0)
        #expect(server.requests.map(\.body) == [Data([0, 1, 2, 0xFF]), Data("@/etc/hostname".utf8), Data()])
        #expect(server.requests.map { $0.headers["Content-Type"] } == [nil, nil, nil])
        #expect(server.requests.map(\.method) == [.put, .put, .head])
    }

    @Test("A form of several parts goes part by part", .enabled(if: hasCurl))
    func forms() async throws {
        let server = try LoopbackServer { $0.fallback(respond: .text("ok")) }
        let file = try ScratchFile(Data("file".utf8))
        var form = MultipartFormData()
        form.append(#"a;b,"c"\d@<"#, name: "text")
        form.append("SECRET", name: "password")
        form.append(file: file.url, name: "f", fileName: "天 \"q\".txt")
        var request = try server.request(.post, "/", body: try .multipart(form))
        request.headers.set("Content-Type", form.contentType)
        let masked = request.cURLDescription()
        #expect(!masked.contains("SECRET") && !masked.contains("boundary"))
        let result = try await run(request.cURLDescription(redacting: .none))
        #expect(result.exitStatus == 0, "\(result.complaints)")
        let body = String(decoding: try #require(server.requests.first).body, as: UTF8.self)
        #expect(body.contains("\r\n\r\n" + #"a;b,"c"\d@<"# + "\r\n") && body.contains("\r\n\r\nSECRET\r\n"))
        #expect(
            body.contains("\r\n\r\nfile\r\n") && body.contains("filename=\"天 ")
                && body.contains("Content-Type: text/plain"))
    }
}
