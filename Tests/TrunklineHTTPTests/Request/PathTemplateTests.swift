import Foundation
import Testing

@testable import TrunklineHTTP

@Suite("Path templates (A07)")
struct PathTemplateTests {
    private static let template = "https://h/users/{id}/files/{name}"

    private static func url(_ template: String, _ parameters: Parameters) throws(HTTPError) -> String {
        try Endpoint(.get, template, parameters: parameters).makeRequest().url.absoluteString
    }

    @Test("A07: each value is one escaped segment, used parameters leave the query")
    func values() throws {
        #expect(
            try Self.url(Self.template, ["id": "a/b", "name": "50% off?#1 ü.txt", "v": 1])
                == "https://h/users/a%2Fb/files/50%25%20off%3F%231%20%C3%BC.txt?v=1")
    }

    @Test(
        "A07: a value that is or holds a dot segment, or nothing, is refused with its name",
        arguments: ["..", ".", "", "../x", "x/..", "a/./b", "..\\x"])
    func refusedValues(value: String) {
        #expect(Encodings.failingPath { _ = try Self.url(Self.template, ["id": value, "name": "n"]) } == "id")
    }

    @Test(
        "Dots that are only part of a name go through",
        arguments: [
            ("...", "https://h/..."), (".a", "https://h/.a"), ("a..b", "https://h/a..b"),
            ("%2e%2e", "https://h/%252e%252e"),
        ])
    func harmlessDots(value: String, expected: String) throws {
        #expect(try Self.url("https://h/{x}", ["x": value]) == expected)
    }

    @Test(
        "Values and literals can't make a dot segment together",
        arguments: ["https://h/{a}{b}", "https://h/.{a}/x", "https://h/%2e{a}", "https://h/{a}%2E?x=1"])
    func joinedDots(template: String) {
        #expect(throws: Never.self) { try Self.url(template, ["a": "a", "b": "-"]) }
        #expect(throws: HTTPError.self) { try Self.url(template, ["a": ".", "b": "."]) }
    }

    @Test("Several placeholders in a segment, one used twice, numbers and dates")
    func severalPlaceholders() throws {
        #expect(
            try Self.url("https://h/{a}-{b}.json/{a}", ["a": 1, "b": true, "c": "q"]) == "https://h/1-1.json/1?c=q")
        #expect(
            try Self.url("https://h/{d}", ["d": Date(timeIntervalSince1970: 0)])
                == "https://h/1970-01-01T00%3A00%3A00Z")
    }

    @Test("Missing values are all listed")
    func missing() {
        let error = #expect(throws: HTTPError.self) { try Self.url(Self.template, ["v": 1]) }
        guard case .invalidRequest(.pathTemplate(let template, let reason)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(template == Self.template)
        #expect(reason.contains("{id}, {name}"))
    }

    @Test("Null, arrays, objects and what can't be carried are refused")
    func refusedKinds() {
        for value: Any in [NSNull(), [1], ["a": 1], Double.nan, NSObject()] as [Any] {
            #expect(Encodings.failingPath { _ = try Self.url("https://h/{x}", ["x": value]) } == "x")
        }
    }

    @Test("Unbalanced braces and empty names are refused", arguments: ["{a", "a}", "{}", "{a/b}", "{{a}}", "}{"])
    func malformed(path: String) {
        #expect(throws: HTTPError.self) { try Self.url("https://h/" + path, ["a": 1]) }
    }

    @Test("The host is never filled, a placeholder in the query is an error only when it names a parameter")
    func elsewhere() throws {
        #expect(throws: HTTPError.self) { try Self.url("https://{host}/x", ["host": "evil"]) }
        #expect(throws: HTTPError.self) { try Self.url("https://h/x?p={p}", ["p": 1]) }
        #expect(try Self.url("https://h/x?f={q}", ["p": 1]) == "https://h/x?f=%7Bq%7D&p=1")
    }

    @Test("Literal parts keep their escapes and dots")
    func literals() throws {
        #expect(try Self.url("https://h/a%2Fb/../{x}/c d?e=%2B", ["x": 1]) == "https://h/a%2Fb/../1/c%20d?e=%2B")
    }

    @Test("A template that fails takes nothing out of the parameters")
    func failureKeepsParameters() {
        var parameters: Parameters = ["id": "a", "name": ".."]
        #expect(throws: HTTPError.self) { try PathTemplate(Self.template).fill(from: &parameters) }
        #expect(parameters.keys == ["id", "name"])
        #expect(PathTemplate(Self.template).names == ["id", "name"])
    }
}
