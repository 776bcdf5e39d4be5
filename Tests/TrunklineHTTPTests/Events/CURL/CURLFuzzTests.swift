import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

/// The text of generated requests, run by a shell with curl, against what the library sends.
@Suite("curl commands of generated requests")
struct CURLFuzzTests {
    private static let hasCurl = FileManager.default.isExecutableFile(atPath: "/usr/bin/curl")

    @Test("The command sends the identical bytes as the library", .enabled(if: hasCurl))
    func identicalFuzz() async throws {
        let count = max(100, FuzzRounds.count(full: 1000))
        let server = try LoopbackServer { $0.fallback(respond: .status(204)) }
        var generator = RequestGenerator(seed: 1000, server: server)
        defer { generator.removeFiles() }
        let session = SessionManager(
            configuration: SessionConfiguration(headers: [:], validation: ResponseValidation(checks: [])),
            transport: try CurlTransport())
        let requests = try (0..<count).map { _ in
            var generated = try generator.next()
            generated.request = try session.resolve(generated.request)
            return generated
        }
        for request in requests { _ = try await session.send(request.request) }
        let sent = server.requests
        server.clearRecord()
        for batch in stride(from: 0, to: count, by: 50) {
            let commands = requests[batch..<min(batch + 50, count)].map {
                $0.request.cURLDescription(redacting: .none, exactly: $0.isExact) + " >/dev/null || exit 9"
            }
            let script = try ScratchFile(Data(commands.joined(separator: "\n").utf8))
            let result = try await HeavyWork.run {
                try ChildProcess.run(
                    URL(fileURLWithPath: "/bin/sh"), [script.url.path],
                    environment: ["CURL_HOME": "/nonexistent", "HOME": "/nonexistent"])
            }
            #expect(result.exitStatus == 0, "\(result.complaints)")
        }
        let received = server.requests
        try #require(sent.count == count && received.count == count)
        for (index, request) in requests.enumerated() {
            let (own, curls) = (sent[index], received[index])
            let command = request.request.cURLDescription(redacting: .none, exactly: request.isExact).prefix(2000)
            #expect(own.method == curls.method && own.target == curls.target, "\(command)")
            for field in request.request.headers
            where !(request.isForm && HTTPHeaders.equal(field.name, "Content-Type")) {
                #expect(own.headers.values(for: field.name) == curls.headers.values(for: field.name), "\(command)")
            }
            if request.isForm {
                #expect(Self.withoutBoundary(own) == Self.withoutBoundary(curls), "\(command)")
            } else {
                #expect(own.body == curls.body, "\(command)")
                #expect(own.headers["Content-Type"] == curls.headers["Content-Type"], "\(command)")
            }
            if request.isExact { #expect(curls.headers["User-Agent"] == own.headers["User-Agent"]) }
        }
    }

    /// A form's bytes with one boundary for all.
    private static func withoutBoundary(_ request: LoopbackRequest) -> Data {
        guard let boundary = MediaType(request.headers["Content-Type"] ?? "")?["boundary"] else { return request.body }
        var data = request.body
        let needle = Data(boundary.utf8)
        while let range = data.range(of: needle) { data.replaceSubrange(range, with: Data("B".utf8)) }
        return data
    }
}

/// Makes requests that are hard to quote.
private struct RequestGenerator {
    struct Generated {
        var request: HTTPRequest
        /// Whether it is a form that curl chooses the boundary for.
        var isForm = false
        var isExact = false
    }

    private var random: SeededRandom
    private let server: LoopbackServer
    private var files: [ScratchFile] = []

    init(seed: UInt64, server: LoopbackServer) {
        random = SeededRandom(seed: seed)
        self.server = server
    }

    mutating func removeFiles() { files = [] }

    private mutating func chance(_ percent: Int) -> Bool { random.below(100) < percent }
    private mutating func pick(_ words: [String]) -> String { words[random.below(words.count)] }

    private static let methods = [
        "GET", "GET", "POST", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "PURGE", "M-SEARCH",
    ]
    private static let nasty = [
        "'", "\"", "\\", "$HOME", "`id`", "!x", "$(id)", "天", "é", "😀", " ", "%", "%s", "\\n", ";", "&", "|", "#", "*",
        "@",
        "=", ",", "<", ">", "~", "{a,b}", "[1-2]", "a", "Z", "0", "--", "-d",
    ]

    private mutating func text(_ most: Int, _ more: [String] = []) -> String {
        let words = Self.nasty + more
        return (0..<random.below(most)).map { _ in pick(words) }.joined()
    }

    private mutating func target() -> String {
        let path = (0...random.below(4)).map { _ in
            pick(["a", "b%20c", "%27", "$x", "(1)", "*", "~u", "..", ".", "%E5%A4%A9", "a;b=c", "@", "!", "x,y", "'"])
        }
        var target = "/" + path.joined(separator: "/")
        if chance(60) {
            let items = (0...random.below(4)).map { _ in
                pick(["q", "$filter", "a%5B%5D", "x'"]) + "="
                    + pick(["1", "a%20eq%20'b'", "%00", "*", "$(id)", "a+b", "%26", ""])
            }
            target += "?" + items.joined(separator: "&")
        }
        return target
    }

    private mutating func headers() -> HTTPHeaders {
        var headers = HTTPHeaders()
        for _ in 0..<random.below(5) {
            let value = text(6).trimmingCharacters(in: .whitespaces)
            headers.add("X-" + pick(["A", "b", "C-d", "e_f", "G!h"]), value)
        }
        if chance(20) { headers.add("Cookie", "a=1; b='2'") }
        if chance(10) { headers.add("User-Agent", "it's me") }
        return headers
    }

    mutating func next() throws -> Generated {
        var generated = Generated(request: try server.request(HTTPMethod(rawValue: pick(Self.methods)), target()))
        generated.request.headers = headers()
        if chance(5), let url = URL(string: "http://me:it's@127.0.0.1:\(server.port)/u") { generated.request.url = url }
        guard generated.request.method != .head, chance(70) else { return generated }
        switch random.below(10) {
        case 0, 1, 2, 3:
            generated.request.body = .data(
                Data(text(30, ["\n", "\r\n", "\t", "@"]).utf8), contentType: chance(70) ? "text/plain" : nil)
        case 4, 5, 6:
            let count = random.below(chance(5) ? 40_000 : 300)
            generated.request.body = .data(Data((0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }))
        case 7:
            let unit = text(20, ["\n"]) + "x"
            generated.request.body = .data(
                Data(String(repeating: unit, count: chance(20) ? 130_000 / unit.utf8.count + 1 : 5).utf8),
                contentType: "application/x-www-form-urlencoded")
        case 8:
            generated.request.body = try .file(try file(), contentType: chance(50) ? "image/png" : nil)
        default:
            generated.isExact = chance(40)
            generated.isForm = !generated.isExact
            generated.request.body = try .multipart(try form(isExact: generated.isExact))
        }
        if generated.isForm, generated.request.cURLDescription(redacting: .none).contains("--data-binary") {
            // curl can't say it part by part.
            generated.isForm = false
        }
        return generated
    }

    private mutating func file() throws -> URL {
        let count = random.below(2000)
        let file = try ScratchFile(Data((0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }))
        files.append(file)
        return file.url
    }

    private mutating func form(isExact: Bool) throws -> MultipartFormData {
        var form = MultipartFormData()
        for _ in 0...random.below(4) {
            let name = "n" + text(3)
            switch random.below(isExact ? 4 : 3) {
            case 0: form.append(text(10, ["\n", "\r\n"]), name: name)
            case 1: form.append(text(10), name: name, contentType: "text/plain")
            case 2: form.append(file: try file(), name: name, fileName: "f" + text(3) + ".bin")
            default: form.append(Data([0, 0xFF, 0x27, 0x25, 0x5C]), name: name, fileName: "b.bin")
            }
        }
        return form
    }
}
