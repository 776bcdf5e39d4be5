import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

/// Encoded content within correct framing: undone whole, and noticed where it ends early, which libcurl's own decoding
/// takes for the end.
@Suite struct ShortContentTests {
    private static let text = Data((0..<20_000).map { "line \($0 &* 2_654_435_761 % 1_000_003)\n" }.joined().utf8)

    /// Content in a coding, and what it is.
    struct Coded: Sendable, CustomTestStringConvertible {
        var name: String
        var coding: String
        var bytes: Data
        var content: Data
        /// How many bytes may be missing at the end before it counts: check sums that a format has not, or nobody reads.
        var slack = 0

        var testDescription: String { name }

        static func all() throws -> [Coded] {
            let gzip = try Gzip.compress(ShortContentTests.text)
            let bare = Data(gzip.dropFirst(10).dropLast(8))
            var sum = (UInt32(1), UInt32(0))
            for byte in ShortContentTests.text {
                sum.0 = (sum.0 + UInt32(byte)) % 65521
                sum.1 = (sum.1 + sum.0) % 65521
            }
            let adler = withUnsafeBytes(of: (sum.1 << 16 | sum.0).bigEndian) { Data($0) }
            let zstd = try #require(Data(base64Encoded: "KLUv/QRobQAAOGhlbGxvIAoBAJlLEah8Lqg="))
            return [
                Coded(name: "gzip", coding: "gzip", bytes: gzip, content: ShortContentTests.text),
                Coded(name: "gzip by its old name", coding: "X-GZIP ", bytes: gzip, content: ShortContentTests.text),
                Coded(
                    name: "two members", coding: "gzip", bytes: gzip + gzip,
                    content: ShortContentTests.text + ShortContentTests.text),
                Coded(
                    name: "deflate", coding: "deflate", bytes: Data([0x78, 0x9C]) + bare + adler,
                    content: ShortContentTests.text),
                Coded(name: "bare deflate", coding: "deflate", bytes: bare, content: ShortContentTests.text),
                Coded(
                    name: "brotli", coding: "br", bytes: Data([0x0B, 0x02, 0x80]) + Data("hello".utf8) + Data([0x03]),
                    content: Data("hello".utf8)),
                Coded(name: "zstd", coding: "zstd", bytes: zstd, content: Data("hello hello hello hello\n".utf8)),
            ]
        }
    }

    private static func content(
        of request: HTTPRequest, _ delivery: BodyDelivery, _ session: SessionManager
    ) async throws -> Data {
        var request = request
        request.options.delivery = delivery
        var content = Data()
        switch delivery {
        case .stream: for try await chunk in session.stream(request).chunks { content.append(chunk) }
        case .file(let url):
            _ = try await session.request(request).response()
            content = try Data(contentsOf: url)
        case .data: content = try await session.request(request).data()
        }
        return content
    }

    @Test func `every coding is undone, in chunks of any size, wherever it goes`() async throws {
        let transport = try CurlTransport()
        let session = SessionManager(transport: transport)
        let file = try ScratchFile()
        for coded in try Coded.all() where transport.capabilities.contentEncodings.contains(coded.coding) {
            for size in [1, 100, 100_000] where coded.bytes.count < 50_000 * size {
                var chunks: [Data] = []
                var rest = coded.bytes
                while !rest.isEmpty {
                    chunks.append(Data(rest.prefix(size)))
                    rest = rest.dropFirst(size)
                }
                let server = try LoopbackServer { [chunks] server in
                    server.route(.get, "/", respond: .chunked(chunks, headers: ["Content-Encoding": coded.coding]))
                }
                for delivery in [BodyDelivery.data, .stream, .file(file.url)] {
                    let content = try await Self.content(of: try server.request(), delivery, session)
                    #expect(content == coded.content, "\(coded.name) in \(size)")
                }
            }
        }
    }

    @Test func `content that ends before its coding does is a lost connection`() async throws {
        let transport = try CurlTransport()
        let session = SessionManager(transport: transport)
        for coded in try Coded.all() where transport.capabilities.contentEncodings.contains(coded.coding) {
            for missing in [1, 4, 8, 9, 1000] where missing < coded.bytes.count - 1 {
                let server = try LoopbackServer { server in
                    let short = Data(coded.bytes.dropLast(missing))
                    let headers: HTTPHeaders = ["Content-Encoding": coded.coding]
                    server.route(.get, "/chunked", respond: .chunked([short], headers: headers))
                    server.route(.get, "/length", respond: LoopbackResponse(headers: headers, body: .data(short)))
                }
                for path in ["/chunked", "/length"] {
                    for delivery in [BodyDelivery.data, .stream] {
                        let request = try server.request(.get, path)
                        let error = await #expect(throws: HTTPError.self, "\(coded.name) without \(missing)") {
                            try await Self.content(of: request, delivery, session)
                        }
                        #expect(ErrorKind(error) == .lostDuringBody)
                        #expect(error?.response?.statusCode == 200)
                    }
                }
            }
        }
    }

    @Test(arguments: ["gzip, gzip", "compress", "nonsense"])
    func `a coding that can't be undone is an error, without content it is none`(coding: String) async throws {
        let server = try LoopbackServer { server in
            server.route(.get, "/", respond: .text("x", headers: ["Content-Encoding": coding]))
            server.route(.get, "/empty", respond: .status(200, headers: ["Content-Encoding": coding]))
            server.route(.get, "/none", respond: .status(204, headers: ["Content-Encoding": "gzip"]))
        }
        let session = SessionManager(transport: try CurlTransport())
        let error = await #expect(throws: HTTPError.self) { try await session.send(try server.request()) }
        #expect(ErrorKind(error) == .invalidResponse)
        #expect(try await session.send(try server.request(.get, "/empty")).data.isEmpty)
        #expect(try await session.send(try server.request(.get, "/none")).data.isEmpty)
        #expect(try await session.send(try server.request(.head, "/")).data.isEmpty)
    }

    @Test func `a slow reader gets all of what is small on the wire and large decoded`() async throws {
        let count = 48 << 20
        let pattern = LoopbackPattern(seed: 2).bytes(count: 1000)
        var whole = Data(capacity: count)
        while whole.count < count { whole.append(pattern) }
        let coded = try Gzip.compress(whole)
        #expect(coded.count < count / 100)
        let server = try LoopbackServer { server in
            server.route(.get, "/", respond: .data(coded, headers: ["Content-Encoding": "gzip"]))
        }
        let session = SessionManager(transport: try CurlTransport())
        let received = Collector<Int64>()
        let stream = session.stream(
            try server.request(), progress: ProgressObserver(received: { received.add($0.completed) }))
        var content = Data()
        for try await chunk in stream.chunks {
            content.append(chunk)
            // What has been decoded and not read is bounded, though libcurl has all of it.
            #expect((received.all.last ?? 0) - Int64(content.count) < 2 << 20)
            if content.count < 4 << 20 { try await Task.sleep(for: .milliseconds(1)) }
        }
        #expect(content == whole)
    }

    @Test func `the system's libraries undo what its libcurl announces`() throws {
        let library = try CurlLibrary(path: nil)
        #expect(library.version.decodes)
    }
}
