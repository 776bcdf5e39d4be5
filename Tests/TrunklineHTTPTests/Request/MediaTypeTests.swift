import Testing

@testable import TrunklineHTTP

@Suite("Media types")
struct MediaTypeTests {
    @Test(
        "Reading a field value",
        arguments: [
            ("text/plain; charset=GBK", "text/plain", "GBK"),
            ("text/plain; Charset=\"UTF-8\"", "text/plain", "UTF-8"),
            ("Text/HTML;charset=utf-8", "text/html", "utf-8"),
            (" text/plain ; charset = utf-8", "text/plain", nil),
            ("text/plain ;  charset=utf-8 ; x=y", "text/plain", "utf-8"),
            ("text/plain;;; charset=a; charset=b", "text/plain", "a"),
            ("text/plain; x=\"a;charset=no\"; charset=\"a\\\"b\"", "text/plain", "a\"b"),
            ("text/plain; charset=\"open", "text/plain", "open"),
            ("text/plain; charset", "text/plain", nil),
            ("text/plain; charset=", "text/plain", nil),
            ("text/plain; charset=\"\"", "text/plain", ""),
            ("application/json, application/json; charset=x", "application/json", nil),
            ("application/vnd.api+json", "application/vnd.api+json", nil),
        ] as [(String, String, String?)])
    func reads(text: String, essence: String, charset: String?) throws {
        let type = try #require(MediaType(text))
        #expect(type.essence == essence)
        #expect(type.charset == charset)
    }

    @Test(
        "What is no media type",
        arguments: ["", "text", "text/", "/plain", "te xt/plain", "text/plain x", "a/b/c", ";"])
    func refuses(text: String) { #expect(MediaType(text) == nil) }

    @Test("Ranges, JSON and the way back to text")
    func properties() throws {
        let problem = try #require(MediaType("Application/Problem+JSON; a=\"x y\"; b=1"))
        #expect(problem.isJSON && problem.suffix == "json")
        #expect(problem.matches(MediaType(type: "*", subtype: "*")))
        #expect(problem.matches(MediaType(type: "application", subtype: "*")))
        #expect(!problem.matches(MediaType(type: "application", subtype: "json")))
        #expect(problem.description == "application/problem+json; a=\"x y\"; b=1")
        #expect(MediaType(problem.description) == problem)
        let quoted = MediaType(type: "a", subtype: "b", parameters: [.init("n", "\\\"")])
        #expect(MediaType(quoted.description) == quoted)
    }
}
