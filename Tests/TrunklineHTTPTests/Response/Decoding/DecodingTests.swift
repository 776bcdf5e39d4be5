import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite("Decoding responses")
struct DecodingTests {
    private func response(_ bytes: [UInt8], type: String? = "application/json", status: Int = 200) -> HTTPResponse {
        var headers: HTTPHeaders = [:]
        if let type { headers.set("Content-Type", type) }
        return HTTPResponse(
            request: HTTPRequest(url: URL(fileURLWithPath: "/")), statusCode: status, headers: headers,
            body: .data(Data(bytes)))
    }

    private func json(_ text: String) -> HTTPResponse { response(Array(text.utf8)) }

    /// The reason and path of a failed decoding; nil for any other ending.
    private func failure<Value: Decodable>(
        _ type: Value.Type, _ response: HTTPResponse, at path: ContentPath? = nil
    ) -> DecodingFailure? {
        do throws(HTTPError) {
            _ = try response.decode(type, at: path)
            return nil
        } catch .decoding(let failure) {
            return failure
        } catch {
            return nil
        }
    }

    private struct A: Decodable, Equatable { var a: Int }

    // MARK: - A16

    @Test("A byte-order mark is no content; any value may be at the top (A16)")
    func marks() throws {
        let marked = response([0xEF, 0xBB, 0xBF] + Array(#"{"a":1}"#.utf8))
        #expect(try marked.decode(A.self) == A(a: 1))
        let text = try marked.string()
        #expect(text == #"{"a":1}"# && text.count == 7)
        #expect(try json("5").decode(Int.self) == 5)
        #expect(try json(#""x""#).decode(String.self) == "x")
        #expect(try json("true").decode(Bool.self))
        #expect(try json("null").decode(A?.self) == nil)
        #expect(failure(A.self, json("null")) != nil)
        #expect(failure([String: Int].self, json("[]")) != nil)
        let error = #expect(throws: HTTPError.self) { try json("").decode(A.self) }
        guard case .emptyResponse = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    // MARK: - A17

    @Test("The charset of the header, whatever its case, then UTF-8; a caller's encoding wins (A17)")
    func charsets() throws {
        let rows: [(String, [UInt8], String)] = [
            ("text/plain; charset=GBK", [0xD6, 0xD0, 0xCE, 0xC4], "中文"),
            ("text/plain; charset=iso-8859-1", [0x63, 0x61, 0x66, 0xE9], "café"),
            (#"text/plain; Charset="UTF-8""#, [0xE6, 0x97, 0xA5], "日"),
            ("text/plain", [0xE6, 0x97, 0xA5], "日"),
            ("text/plain; charset=nope-1", [0x61], "a"),
        ]
        for (type, bytes, expected) in rows {
            #expect(try response(bytes, type: type).string() == expected, "\(type)")
        }
        let latin = response([0x63, 0xE9], type: "text/plain; charset=utf-8")
        #expect(try latin.string(encoding: .isoLatin1) == "cé")
        let broken = response([0x61, 0xFF, 0x62], type: "text/plain; charset=utf-8")
        let error = #expect(throws: HTTPError.self) { try broken.string() }
        guard case .decoding(let failure) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.response?.data == Data([0x61, 0xFF, 0x62]))
    }

    // MARK: - A18

    private struct Order: Codable, Equatable {
        var id: Int64
        var price: Decimal
        var n: Decimal
        var u: UInt64
    }

    @Test("Big integers and decimals keep their value, also through the cache (A18)")
    func numbers() async throws {
        let text = #"{"id":9007199254740993,"price":129.9,"n":79228162514264337593543950335,"u":18446744073709551615}"#
        let order = Order(
            id: 9_007_199_254_740_993, price: try #require(Decimal(string: "129.9")),
            n: try #require(Decimal(string: "79228162514264337593543950335")), u: .max)
        let server = try LoopbackServer { server in
            server.route(.get, "/", respond: .json(text, headers: ["Cache-Control": "max-age=60"]))
        }
        let session = SessionManager(
            configuration: SessionConfiguration(cachePolicy: .cacheFirst(maxAge: .seconds(60))),
            cache: ResponseCache())
        for round in 0..<2 {
            let response = try await session.send(try server.request(.get, "/"))
            #expect(response.data == Data(text.utf8))
            // What Foundation's decoder makes of `n` is 19 digits exact; the library's own value keeps all of them.
            let value = try JSONValue(parsing: response.data)
            #expect(value["id"]?.int64 == order.id && value["price"]?.decimal == order.price)
            #expect(value["n"]?.decimal == order.n && value["u"]?.uint64 == order.u)
            let decoded = try response.decode(Order.self)
            #expect(decoded == order)
            if round == 1, case .network = response.source { Issue.record("the second answer is not from the cache") }
        }
        #expect(failure([String: Int64].self, json(#"{"id":9223372036854775808}"#)) != nil)
    }

    // MARK: - Paths

    @Test("A value in an envelope is decoded at its path, with its strategies and its place in errors")
    func paths() throws {
        let text = #"{"code":0,"data":{"items":[{"a":1},{"a":2}],"at":"2020-01-02T03:04:05Z","none":null}}"#
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let response = json(text)
        #expect(try response.decode([A].self, at: "data.items") == [A(a: 1), A(a: 2)])
        #expect(try response.decode(A.self, at: "data.items[1]") == A(a: 2))
        #expect(try response.decode(Int.self, at: "data.items[1].a") == 2)
        #expect(try response.decode(Date.self, at: "data.at", using: decoder).timeIntervalSince1970 == 1_577_934_245)
        #expect(try response.decode(A?.self, at: "data.none") == nil)
        #expect(try response.decode(A?.self, at: "data.missing") == nil)
        #expect(failure(A.self, response, at: "data.missing")?.path == "data")
        #expect(failure(A.self, response, at: "data.items[2]")?.path == "data.items")
        #expect(failure(String.self, response, at: "data.items[1].a")?.path == "data.items[1].a")
        #expect(failure(A.self, response, at: "code.items") != nil)
        #expect(failure(A.self, response, at: "data[0]") != nil)
    }

    @Test(
        "Paths are written with dots and brackets",
        arguments: [
            ("", "", 0), ("a", "a", 1), ("a.b[0].c", "a.b[0].c", 4), ("[3]", "[3]", 1), ("a..b", "a.b", 2),
        ])
    func pathText(text: String, written: String, count: Int) throws {
        let path = try #require(ContentPath(text))
        #expect(path.description == written && path.steps.count == count)
    }

    @Test("A bracket without an index is no path", arguments: ["a[x]", "a[-1]", "a[", "a[1"])
    func badPath(text: String) { #expect(ContentPath(text) == nil) }

    @Test("A property list, by another decoder")
    func propertyList() throws {
        let plist = try PropertyListEncoder().encode(["data": ["a": 7]])
        #expect(try response(Array(plist)).decode(Int.self, at: "data.a", using: PropertyListDecoder()) == 7)
    }

    @Test("NoContent takes any content")
    func noContent() throws {
        #expect(try json("not JSON").decode(NoContent.self) == NoContent())
        #expect(String(decoding: try JSONEncoder().encode(NoContent()), as: UTF8.self) == "{}")
    }
}
