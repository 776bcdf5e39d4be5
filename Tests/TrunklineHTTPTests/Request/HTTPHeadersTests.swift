import Foundation
import Testing

@testable import TrunklineHTTP

@Suite("Header fields")
struct HTTPHeadersTests {
    private static let response: HTTPHeaders = [
        "etag": "\"x\"", "x-total-count": "7", "X-D": "1", "X-D": "2",
        "Set-Cookie": "a=1; Expires=Wed, 21 Oct 2099 07:28:00 GMT; Path=/", "Set-Cookie": "b=2; Path=/",
    ]

    @Test("A11: lookups ignore case, repeated lines are joined, Set-Cookie is read line by line")
    func responses() throws {
        #expect(Self.response["ETAG"] == "\"x\"")
        #expect(Self.response.etag == "\"x\"")
        #expect(Self.response["X-Total-Count"] == "7")
        #expect(Self.response["X-D"] == "1, 2")
        #expect(Self.response.values(for: "x-d") == ["1", "2"])
        let url = try #require(URL(string: "https://h/p"))
        let cookies = Self.response.cookies(for: url)
        #expect(cookies.map { "\($0.name)=\($0.value)" } == ["a=1", "b=2"])
        #expect(cookies.first?.expiresDate == Date(timeIntervalSince1970: 4_096_250_880))
        #expect(cookies.last?.expiresDate == nil)
    }

    @Test(
        "A09: names that are no token and values with CR, LF or NUL are refused by name",
        arguments: [
            ("X-A", "a\r\nX-Evil: 1"), ("X-B\r\nX-Evil: 1", "v"), ("X-A", "a\nX-Evil: 1"), ("X-A", "a\u{0}b"),
            ("X Y", "v"), ("X:Y", "v"), ("", "v"), ("Ü", "v"), ("X-A", "\r"),
        ])
    func refused(name: String, value: String) {
        do {
            try HTTPHeaders([HTTPHeaders.Field(name, value)]).validate()
            Issue.record("accepted")
        } catch .invalidRequest(.header(let named, _)) {
            #expect(named == name)
        } catch {
            Issue.record("wrong error \(error)")
        }
    }

    @Test("A09: a tab inside a value is fine; framing fields are the transport's")
    func accepted() {
        #expect(throws: Never.self) { try (["X-Ok": "a\tb", "X-U": "ü"] as HTTPHeaders).validate() }
        for name in ["Content-Length", "transfer-encoding", "Connection", "KEEP-ALIVE", "Upgrade", "Trailer"] {
            #expect(throws: HTTPError.self) { try HTTPHeaders([HTTPHeaders.Field(name, "1")]).validate() }
        }
    }

    @Test("A10: the order session, service, endpoint decides, one line a name")
    func precedence() {
        let session: HTTPHeaders = ["content-type": "text/a", "X-K": "s"]
        let service: HTTPHeaders = ["x-k": "v"]
        let endpoint: HTTPHeaders = ["Content-Type": "application/vnd.api+json"]
        let merged = session.merging(service).merging(endpoint)
        #expect(merged.count == 2)
        #expect(merged.values(for: "content-type") == ["application/vnd.api+json"])
        #expect(merged.values(for: "X-K") == ["v"])
    }

    @Test("Setting replaces every line in the place of the first, adding keeps them")
    func editing() {
        var headers: HTTPHeaders = [.accept("a"), .init("X", "1"), .init("x", "2"), .bearer("t")]
        headers.set("X", "3")
        #expect(headers.map(\.name) == ["Accept", "X", "Authorization"])
        headers.add("x", "4")
        #expect(headers["X"] == "3, 4")
        headers.accept = nil
        headers["X"] = nil
        #expect(headers == [.authorization("Bearer t")])
    }

    @Test("Dates in the three forms of HTTP")
    func dates() {
        let expected = Date(timeIntervalSince1970: 784_111_777)
        for text in [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        ] {
            #expect((["date": text] as HTTPHeaders).date == expected)
            #expect((["Last-Modified": text] as HTTPHeaders).lastModified == expected)
        }
        #expect((["Date": "yesterday"] as HTTPHeaders).date == nil)
        #expect(HTTPHeaders().lastModified == nil)
    }

    @Test("Credentials by scheme")
    func credentials() throws {
        #expect(HTTPHeaders.Field.bearer("abc").value == "Bearer abc")
        #expect(
            try HTTPHeaders.Field.basic(username: "Aladdin", password: "open sesame").value
                == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
        #expect(try HTTPHeaders.Field.basic(username: "ü", password: "a:b").value == "Basic w7w6YTpi")
        #expect(throws: HTTPError.self) { try HTTPHeaders.Field.basic(username: "a:b", password: "") }
    }

    @Test(
        "Content-Length of a response",
        arguments: [
            (["5"], 5), (["5", "5"], 5), (["5, 5"], 5), ([" 7 "], 7), (["5", "6"], nil), (["-1"], nil), (["x"], nil),
            ([""], nil), ([], nil), (["99999999999999999999"], nil), (["+5"], nil),
        ] as [([String], Int64?)])
    func contentLength(lines: [String], expected: Int64?) {
        #expect(HTTPHeaders(lines.map { .init("content-length", $0) }).contentLength == expected)
    }

    @Test("The standard fields are valid, the same each time, and say nothing about the machine")
    func standard() throws {
        let headers = HTTPHeaders.standard
        try headers.validate()
        #expect(headers == HTTPHeaders.standard)
        #expect(!headers.contains("Accept-Encoding"))
        let agent = try #require(headers.userAgent)
        #expect(agent.contains("Trunkline/"))
        #expect(!agent.contains(ProcessInfo.processInfo.hostName))
        #expect(HTTPHeaders.weighted(["de-DE", "en", "fr"]) == "de-DE, en;q=0.9, fr;q=0.8")
        #expect(HTTPHeaders.weighted((0..<20).map { "l\($0)" }).hasSuffix("l9;q=0.1"))
        let version = OperatingSystemVersion(majorVersion: 6, minorVersion: 1, patchVersion: 9)
        #expect(
            HTTPHeaders.userAgent(process: "My App\r\n", version: "1.2", system: "Linux", systemVersion: version)
                == "My-App--/1.2 Trunkline/\(SystemInfo.libraryVersion) (Linux 6.1)")
    }
}
