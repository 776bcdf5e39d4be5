import Foundation
import Testing

@testable import TrunklineHTTP

@Suite("Encoding: the exact bytes of the failure cases A01 to A06 and A10")
struct ParameterCasesTests {
    @Test("A01: reserved characters are escaped exactly once, the same in query and form")
    func reservedCharacters() throws {
        let parameters: Parameters = ["sig": "a+b/c==&x=1%2B #é😀"]
        let expected = "sig=a%2Bb/c%3D%3D%26x%3D1%252B%20%23%C3%A9%F0%9F%98%80"
        let get = try Encodings.request(.get, parameters, .automatic)
        #expect(get.url.absoluteString == "https://h/p?" + expected)
        #expect(get.body == nil)
        let post = try Encodings.request(.post, parameters, .automatic)
        #expect(Encodings.text(post.body) == expected)
        #expect(post.body?.contentType == "application/x-www-form-urlencoded")
        #expect(post.url.absoluteString == "https://h/p")
        #expect(expected.removingPercentEncoding == "sig=a+b/c==&x=1%2B #é😀")
    }

    private static let mixed: Parameters = [
        "a": true, "b": 1, "c": NSNumber(value: true), "d": NSNumber(value: 1), "e": 0, "f": NSNumber(value: 0), "g": 2,
        "h": NSNumber(value: 2.5), "i": false,
    ]

    @Test("A02: booleans and numbers are told apart by their declared type")
    func booleansAndNumbers() throws {
        let literal = URLParameterEncoder(bools: .literal)
        #expect(try Encodings.query(Self.mixed, literal) == "a=true&b=1&c=true&d=1&e=0&f=0&g=2&h=2.5&i=false")
        #expect(try Encodings.query(Self.mixed) == "a=1&b=1&c=1&d=1&e=0&f=0&g=2&h=2.5&i=0")
        #expect(
            try Encodings.json(Self.mixed)
                == #"{"a":true,"b":1,"c":true,"d":1,"e":0,"f":0,"g":2,"h":2.5,"i":false}"#)
    }

    @Test("A02: numbers parsed by JSONSerialization keep their kind")
    func parsedNumbers() throws {
        let parsed = try JSONSerialization.jsonObject(with: Data(#"{"a":true,"b":1,"c":1.5,"d":[false,0]}"#.utf8))
        let dictionary = try #require(parsed as? [String: Any])
        #expect(try Encodings.json(Parameters(dictionary)) == #"{"a":true,"b":1,"c":1.5,"d":[false,0]}"#)
    }

    private static var pairs: [(String, Any)] {
        [
            ("user", ["tags": ["x", "y"], "name": "Zoë"] as [String: Any]), ("ids", [3, 1, 2]), ("A", 1), ("a", 2),
        ]
    }

    @Test("A03: the same bytes from every insertion order", arguments: 0..<24)
    func insertionOrders(seed: Int) throws {
        var order = Self.pairs
        for index in order.indices.dropLast() {
            order.swapAt(index, index + (seed >> index) % (order.count - index))
        }
        var dictionary: [String: Any] = [:]
        for (key, value) in order { dictionary[key] = value }
        for parameters in [Parameters(order), Parameters(dictionary)] {
            #expect(
                try Encodings.query(parameters)
                    == "A=1&a=2&ids%5B%5D=3&ids%5B%5D=1&ids%5B%5D=2&user%5Bname%5D=Zo%C3%AB"
                    + "&user%5Btags%5D%5B%5D=x&user%5Btags%5D%5B%5D=y")
            #expect(
                try Encodings.query(parameters, URLParameterEncoder(arrays: .noBrackets))
                    == "A=1&a=2&ids=3&ids=1&ids=2&user%5Bname%5D=Zo%C3%AB&user%5Btags%5D=x&user%5Btags%5D=y")
            #expect(
                try Encodings.json(parameters)
                    == #"{"A":1,"a":2,"ids":[3,1,2],"user":{"name":"Zoë","tags":["x","y"]}}"#)
        }
    }

    enum Kind: String { case red = "R" }
    struct Plain { var x = 1 }

    private static let optionals: Parameters = [
        "p": Optional("x") as Any, "q": Optional<String>.none as Any, "r": NSNull(), "s": "",
        "t": Optional<Optional<Int>>.some(.some(5)) as Any, "u": Kind.red as Any,
    ]

    @Test("A04: optionals are unwrapped, nil is dropped or null, enums give their raw value")
    func optionalsAndEnums() throws {
        #expect(try Encodings.query(Self.optionals) == "p=x&s=&t=5&u=R")
        #expect(try Encodings.json(Self.optionals) == #"{"p":"x","q":null,"r":null,"s":"","t":5,"u":"R"}"#)
        for text in [try Encodings.query(Self.optionals), try Encodings.json(Self.optionals)] {
            #expect(!text.contains("Optional("))
            #expect(!text.contains("%3Cnull%3E") && !text.contains("<null>"))
        }
    }

    @Test(
        "A05: what the URL has stays byte for byte",
        arguments: [
            ("https://h/p?hd=%5B1%5D&t=a%2Bb", ["q": "1+1"], "https://h/p?hd=%5B1%5D&t=a%2Bb&q=1%2B1"),
            ("https://h/p?k=1#frag", ["q": "x"], "https://h/p?k=1&q=x#frag"),
            ("https://h/p#a?b", ["q": "x"], "https://h/p?q=x#a?b"),
            ("https://h/p", [:], "https://h/p"),
            ("https://h/p?", ["q": "x"], "https://h/p?q=x"),
            ("https://h/p?k=1&", ["q": "x"], "https://h/p?k=1&q=x"),
            ("https://h/a%2Fb?x=%7e", ["q": "x"], "https://h/a%2Fb?x=%7e&q=x"),
            ("https://h", ["q": "x"], "https://h?q=x"),
        ] as [(String, [String: String], String)])
    func existingQuery(url: String, added: [String: String], expected: String) throws {
        #expect(try Encodings.request(.get, url, Parameters(added), .automatic).url.absoluteString == expected)
    }

    @Test("A05, A10: nothing to write means no body and no type", arguments: [HTTPMethod.post, .put, .get])
    func emptyParameters(method: HTTPMethod) throws {
        for encoding: any ParameterEncoding in [.automatic, .form, .json, .query, .text("t")] as [any ParameterEncoding]
        {
            let request = try Encodings.request(method, [:], encoding)
            #expect(request.body == nil)
            #expect(request.headers.isEmpty)
            #expect(request.url.absoluteString == "https://h/p")
        }
        #expect(try Encodings.request(.post, ["a": NSNull()], .form).body == nil)
    }

    @Test("A06: what JSON can't hold is an error that names its key path")
    func refusedValues() throws {
        func path(_ parameters: Parameters) -> String? {
            Encodings.failingPath { _ = try Encodings.request(.post, parameters, .json) }
        }
        #expect(path(["x": Double.nan]) == "x")
        #expect(path(["x": [1, Double.infinity]]) == "x[1]")
        #expect(path(["s": Plain()]) == "s")
        #expect(path(["a": ["b": [1, ["c": Plain()]]]]) == "a.b[1].c")
        #expect(path(["x": Decimal.nan]) == "x")
        #expect(path(["x": Float.nan]) == "x")
        #expect(path(["x": -Float.infinity]) == "x")
        #expect(Encodings.failingPath { _ = try Encodings.query(["x": [1, Double.nan]]) } == "x[1]")
        #expect(Encodings.failingPath { _ = try Encodings.query(["s": ["t": Plain()]]) } == "s.t")
    }

    @Test("A06: dates and bytes have one documented form in every encoder")
    func datesAndBytes() throws {
        let parameters: Parameters = ["d": Date(timeIntervalSince1970: 0), "b": Data([1])]
        #expect(try Encodings.json(parameters) == #"{"b":"AQ==","d":"1970-01-01T00:00:00Z"}"#)
        #expect(try Encodings.query(parameters) == "b=AQ%3D%3D&d=1970-01-01T00%3A00%3A00Z")
    }

    @Test("A06: the control values keep every digit")
    func exactNumbers() throws {
        let parameters: Parameters = ["u": UInt64.max, "n": NSNull(), "dec": Decimal(string: "129.9")]
        #expect(try Encodings.json(parameters) == #"{"dec":129.9,"n":null,"u":18446744073709551615}"#)
    }

    @Test("A10: the encoder's type is only the body's default, a header of the request is left alone")
    func contentType() throws {
        let url = try #require(URL(string: "https://h/p"))
        var request = HTTPRequest(
            method: .post, url: url, headers: ["Content-Type": "application/vnd.api+json"])
        try JSONParameterEncoder().encode(["a": 1], into: &request)
        #expect(request.headers.values(for: "content-type") == ["application/vnd.api+json"])
        #expect(Encodings.text(request.body) == #"{"a":1}"#)
        #expect(request.body?.contentType == "application/json")
    }
}
