import Foundation
import Testing

@testable import TrunklineHTTP

@Suite("URL joining (A08) and whole URLs")
struct URLBuilderTests {
    @Test(
        "A08: base, path, joined",
        arguments: [
            ("https://h/api", "users", "https://h/api/users"),
            ("https://h/api/", "/users", "https://h/api/users"),
            ("https://h", "users", "https://h/users"),
            ("https://h/api/", "users/", "https://h/api/users/"),
            ("https://h/api", "", "https://h/api"),
            ("https://h/api/", "", "https://h/api/"),
            ("https://h/s?X-Sig=1", "", "https://h/s?X-Sig=1"),
            ("https://h/api?k=1", "users", "https://h/api/users?k=1"),
            ("https://h/api", "list?page=2", "https://h/api/list?page=2"),
            ("https://h/api", "a b", "https://h/api/a%20b"),
            ("https://h/api", "a%20b", "https://h/api/a%20b"),
            // beyond the table
            ("https://h/api", "?page=2", "https://h/api?page=2"),
            ("https://h/api?k=a%2Bb", "list?page=2#top", "https://h/api/list?k=a%2Bb&page=2#top"),
            ("https://h/api#f", "x", "https://h/api/x#f"),
            ("https://h/api//", "//users", "https://h/api/users"),
            ("https://h", "//evil/x", "https://h/evil/x"),
            ("https://h/api", "/", "https://h/api/"),
            ("https://h/api", "100%", "https://h/api/100%25"),
            ("https://h/api", "a%2", "https://h/api/a%252"),
            ("https://h/api", "ü/天", "https://h/api/%C3%BC/%E5%A4%A9"),
            ("https://h/api", "books:search", "https://h/api/books:search"),
            ("https://h/api", "a\\..\\b", "https://h/api/a%5C..%5Cb"),
            ("https://h/api", "a\r\nX: 1", "https://h/api/a%0D%0AX:%201"),
            ("https://h/api", "/\u{301}x?\u{301}y", "https://h/api/%CC%81x?%CC%81y"),
            ("https://h:8080", "x", "https://h:8080/x"),
            ("https://h/api", "x?a=[1]&b={2}", "https://h/api/x?a=%5B1%5D&b=%7B2%7D"),
            ("https://[::1]:80/a", "x", "https://[::1]:80/a/x"),
        ])
    func joins(base: String, path: String, expected: String) throws {
        #expect(try URLBuilder.join(base: base, path: path).absoluteString == expected)
        let url = try #require(URL(string: base))
        #expect(try URLBuilder.join(base: url, path: path).absoluteString == expected)
    }

    @Test("A08: parameters follow the path's own query")
    func joinsWithParameters() throws {
        let endpoint = Endpoint.get("list?page=2", base: URL(string: "https://h/api"), parameters: ["size": 10])
        #expect(try endpoint.makeRequest().url.absoluteString == "https://h/api/list?page=2&size=10")
    }

    @Test(
        "A08: base, version, method",
        arguments: [
            ("https://h", "", "users", "https://h/users"),
            ("https://h/", "v2", "users", "https://h/v2/users"),
            ("https://h/api", "/v2/", "/users", "https://h/api/v2/users"),
            ("https://h/api?k=1", "v2", "", "https://h/api/v2?k=1"),
            ("https://h", "v?#", "", "https://h/v%3F%23"),
        ])
    func versions(base: String, version: String, path: String, expected: String) throws {
        #expect(try URLBuilder.join(base: base, version: version, path: path).absoluteString == expected)
    }

    @Test(
        "A08: an absolute path is refused unless allowed",
        arguments: ["https://other/x", "HTTP://other/x", "ftp://other/x", "http:other", "https:/other"])
    func absolutePaths(path: String) throws {
        #expect(throws: HTTPError.self) { try URLBuilder.join(base: "https://h/api", path: path) }
    }

    @Test("An absolute path replaces the base where that is allowed")
    func allowedAbsolutePath() throws {
        let url = try URLBuilder.join(base: "https://h/api", path: "https://other/x?a=1", allowsAbsolute: true)
        #expect(url.absoluteString == "https://other/x?a=1")
        var endpoint = Endpoint.get("https://other/x", base: URL(string: "https://h/api"))
        #expect(throws: HTTPError.self) { try endpoint.makeRequest() }
        endpoint.allowsAbsoluteURL = true
        #expect(try endpoint.makeRequest().url.absoluteString == "https://other/x")
    }

    @Test(
        "Text that is no URL is refused with a reason",
        arguments: [
            "", "h/api", "//h/x", "://h", "https://", "https:///x", "https://?x", "https://h x/", "https://h\\@evil/",
            "https://h\n/", "https://{host}/x", "https://h:99999/", "https://h:8a/", "https://a:b:c/", "https://[::1/",
            "https://[::1]x/", "https://h%20x/", "https://u@:80/", "1http://h/", "https://user@/x",
        ])
    func refusedURLs(text: String) {
        do {
            let url = try URLBuilder.url(text)
            Issue.record("accepted as \(url.absoluteString)")
        } catch HTTPError.invalidRequest(.url(let named, let reason)) {
            #expect(named == text)
            #expect(!reason.isEmpty)
        } catch {
            Issue.record("wrong error \(error)")
        }
    }

    @Test(
        "Whole URLs are escaped where needed and kept where escaped",
        arguments: [
            ("https://h", "https://h"),
            ("https://h/a b?c d#e f", "https://h/a%20b?c%20d#e%20f"),
            ("https://h/%41?x=%zz", "https://h/%41?x=%25zz"),
            ("https://h/b/./c/../d", "https://h/b/./c/../d"),
            ("https://u:p@h:1/x", "https://u:p@h:1/x"),
            ("https://bücher.example/ü", "https://xn--bcher-kva.example/%C3%BC"),
            ("https://h?x=a?b/c", "https://h?x=a?b/c"),
            ("HTTPS://H/x", "HTTPS://H/x"),
        ])
    func wholeURLs(text: String, expected: String) throws {
        #expect(try URLBuilder.url(text).absoluteString == expected)
        #expect(try text.makeRequest().url.absoluteString == expected)
    }
}
