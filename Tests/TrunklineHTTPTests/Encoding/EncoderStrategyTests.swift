import Foundation
import Testing

@testable import TrunklineHTTP

@Suite("Encoder strategies")
struct EncoderStrategyTests {
    private static let arrays: Parameters = ["a": [1, [2, 3], ["k": 4]] as [Any]]

    @Test("Arrays")
    func arrayStrategies() throws {
        func text(_ arrays: URLParameterEncoder.ArrayStrategy, _ parameters: Parameters = Self.arrays) throws -> String
        {
            try Encodings.query(parameters, URLParameterEncoder(arrays: arrays))
                .replacingOccurrences(of: "%5B", with: "[").replacingOccurrences(of: "%5D", with: "]")
        }
        #expect(try text(.brackets) == "a[]=1&a[][]=2&a[][]=3&a[][k]=4")
        #expect(try text(.noBrackets) == "a=1&a=2&a=3&a[k]=4")
        #expect(try text(.indices) == "a[0]=1&a[1][0]=2&a[1][1]=3&a[2][k]=4")
        #expect(try text(.commaSeparated, ["a": [1, 2], "b": ["x,y", "z w"], "c": []]) == "a=1,2&b=x%2Cy,z%20w")
        #expect(try text(.commaSeparated, ["a": [1, nil, 2] as [Int?]]) == "a=1,2")
        #expect(Encodings.failingPath { _ = try text(.commaSeparated) } == "a[1]")
    }

    @Test("Nested names")
    func nesting() throws {
        let parameters: Parameters = ["u": ["n": ["m": 1], "l": [2]] as [String: Any]]
        #expect(try Encodings.query(parameters, URLParameterEncoder(nesting: .dots)) == "u.l%5B%5D=2&u.n.m=1")
        #expect(
            try Encodings.query(parameters, URLParameterEncoder(arrays: .indices, nesting: .dots))
                == "u.l%5B0%5D=2&u.n.m=1")
    }

    @Test("Null")
    func nils() throws {
        let parameters: Parameters = ["a": nil, "b": [nil, 1] as [Int?], "c": ""]
        func text(_ nils: URLParameterEncoder.NilStrategy) throws -> String {
            try Encodings.query(parameters, URLParameterEncoder(arrays: .noBrackets, nils: nils))
        }
        #expect(try text(.dropKey) == "b=1&c=")
        #expect(try text(.dropValue) == "a=&b=&b=1&c=")
        #expect(try text(.null) == "a=null&b=null&b=1&c=")
    }

    @Test(
        "Dates",
        arguments: [
            (0.0, "1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000Z", "0", "0"),
            (1_709_210_096.75, "2024-02-29T12:34:56Z", "2024-02-29T12:34:56.750Z", "1709210096.75", "1709210096750"),
            (-0.5, "1969-12-31T23:59:59Z", "1969-12-31T23:59:59.500Z", "-0.5", "-500"),
            (-62_167_219_200, "0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000Z", "-62167219200", "-62167219200000"),
            (253_402_300_799, "9999-12-31T23:59:59Z", "9999-12-31T23:59:59.000Z", "253402300799", "253402300799000"),
            (951_782_400, "2000-02-29T00:00:00Z", "2000-02-29T00:00:00.000Z", "951782400", "951782400000"),
            (-2_203_891_200, "1900-03-01T00:00:00Z", "1900-03-01T00:00:00.000Z", "-2203891200", "-2203891200000"),
        ])
    func dates(seconds: Double, iso: String, milli: String, unix: String, unixMilli: String) throws {
        let parameters: Parameters = ["d": Date(timeIntervalSince1970: seconds)]
        func check(_ dates: ParameterDateStrategy, _ expected: String, isText: Bool) throws {
            let query = try Encodings.query(parameters, URLParameterEncoder(dates: dates))
            #expect(query.removingPercentEncoding == "d=" + expected)
            let json = try Encodings.json(parameters, JSONParameterEncoder(dates: dates))
            #expect(json == (isText ? "{\"d\":\"\(expected)\"}" : "{\"d\":\(expected)}"))
        }
        try check(.iso8601, iso, isText: true)
        try check(.iso8601WithMilliseconds, milli, isText: true)
        try check(.secondsSince1970, unix, isText: false)
        try check(.millisecondsSince1970, unixMilli, isText: false)
        try check(.formatted { "day \(Int($0.timeIntervalSince1970))" }, "day \(Int(seconds))", isText: true)
    }

    /// From 1603 on: Foundation counts by the Julian calendar before 1582, RFC 3339 doesn't.
    @Test("The days of 8,000 years are the ones Foundation says")
    func calendar() {
        let formatter = ISO8601DateFormatter()
        for day in stride(from: -134_000, to: 2_900_000, by: 911) {
            let seconds = Double(day) * 86400 + 3661
            #expect(
                ISO8601.text(secondsSince1970: seconds, milliseconds: false)
                    == formatter.string(from: Date(timeIntervalSince1970: seconds)))
        }
    }

    @Test("Dates that have no form are refused by name", arguments: [Double.nan, .infinity, -.infinity, 1e15, -1e15])
    func impossibleDates(seconds: Double) {
        let parameters: Parameters = ["a": [Date(timeIntervalSince1970: seconds)]]
        for dates in [ParameterDateStrategy.iso8601, .iso8601WithMilliseconds] {
            #expect(Encodings.failingPath { _ = try Encodings.json(parameters, .init(dates: dates)) } == "a[0]")
        }
        guard !seconds.isFinite else { return }
        for dates in [ParameterDateStrategy.secondsSince1970, .millisecondsSince1970] {
            #expect(Encodings.failingPath { _ = try Encodings.query(parameters, .init(dates: dates)) } == "a[0]")
        }
    }

    @Test("Bytes")
    func data() throws {
        let parameters: Parameters = ["d": Data([0xFB, 0xFF])]
        #expect(try Encodings.query(parameters) == "d=%2B/8%3D")
        #expect(try Encodings.query(parameters, URLParameterEncoder(data: .base64URL)) == "d=-_8")
        #expect(
            try Encodings.json(parameters, JSONParameterEncoder(data: .formatted { "\($0.count)" })) == #"{"d":"2"}"#)
        #expect(Encodings.failingPath { _ = try Encodings.json(parameters, .init(data: .refused)) } == "d")
        #expect(Encodings.failingPath { _ = try Encodings.query(parameters, .init(data: .refused)) } == "d")
    }

    @Test(
        "Snake case",
        arguments: [
            ("pageSize", "page_size"), ("rawURLText", "raw_url_text"), ("URL", "url"), ("id", "id"), ("_x", "_x"),
            ("aB", "a_b"),
            ("page2Size", "page2_size"), ("already_snake", "already_snake"), ("", ""), ("ÄrgerÜber", "ärger_über"),
            ("X", "x"),
        ])
    func snakeCase(key: String, expected: String) {
        #expect(ParameterKeyStrategy.snakeCase.apply(key) == expected)
    }

    @Test("Names are spelt by the strategy at every level and sorted as written; two that become one are refused")
    func keys() throws {
        let parameters: Parameters = ["zB": 1, "z_a": ["innerKey": 2], "Az": 3]
        #expect(try Encodings.json(parameters, .init(keys: .snakeCase)) == #"{"az":3,"z_a":{"inner_key":2},"z_b":1}"#)
        #expect(
            try Encodings.query(parameters, .init(keys: .custom { $0.uppercased() }))
                == "AZ=3&ZB=1&Z_A%5BINNERKEY%5D=2")
        let clash: Parameters = ["o": ["a_b": 1, "aB": 2]]
        #expect(Encodings.failingPath { _ = try Encodings.json(clash, .init(keys: .snakeCase)) } == "o.a_b")
        #expect(Encodings.failingPath { _ = try Encodings.query(clash, .init(keys: .snakeCase)) } == "o.a_b")
    }

    @Test("Order as given, for the servers that sign it")
    func order() throws {
        let parameters: Parameters = ["z": 1, "a": ["y": 1, "x": 2], "m": 3]
        #expect(
            try Encodings.query(parameters, URLParameterEncoder(order: .asGiven)) == "z=1&a%5Bx%5D=2&a%5By%5D=1&m=3")
    }

    @Test("Spaces")
    func spaces() throws {
        #expect(try Encodings.query(["a b": "c d+e"], URLParameterEncoder(spaces: .plus)) == "a+b=c+d%2Be")
    }

    @Test("Numbers have one text")
    func numbers() throws {
        let parameters: Parameters = [
            "a": 2.0, "b": -0.0, "c": 1e20, "d": Double.leastNonzeroMagnitude, "e": Decimal(string: "1e30"),
            "f": Decimal(string: "0.10"),
            "g": 0.1 + 0.2,
        ]
        #expect(
            try Encodings.json(parameters)
                == #"{"a":2,"b":-0,"c":1e+20,"d":5e-324,"e":1000000000000000000000000000000,"f":0.1,"g":0.30000000000000004}"#
        )
    }

    @Test("JSON text: only what must be escaped is")
    func jsonText() throws {
        #expect(
            try Encodings.json(["k\"": "a/\\\u{8}\u{C}\n\r\t\u{1}\u{1F}\u{7F}é\u{2028}"])
                == "{\"k\\\"\":\"a/\\\\\\b\\f\\n\\r\\t\\u0001\\u001f\u{7F}é\u{2028}\"}")
    }

    @Test("Query and JSON body, by name")
    func split() throws {
        let request = try Encodings.request(
            .post, ["page": 2, "title": "x", "size": 5], .queryAndJSON(queryKeys: ["size", "page", "none"]))
        #expect(request.url.absoluteString == "https://h/p?page=2&size=5")
        #expect(Encodings.text(request.body) == #"{"title":"x"}"#)
        let onlyQuery = try Encodings.request(.post, ["page": 2], .split(queryKeys: ["page"], rest: .form))
        #expect(onlyQuery.body == nil)
    }

    @Test("Plain text from one parameter")
    func text() throws {
        let request = try Encodings.request(.post, ["t": "hé llo", "v": true], .text("t"))
        #expect(Encodings.text(request.body) == "hé llo")
        #expect(request.body?.contentType == "text/plain; charset=utf-8")
        #expect(request.url.absoluteString == "https://h/p?v=true")
        #expect(Encodings.text(try Encodings.request(.post, ["t": false], .text("t")).body) == "false")
        #expect(Encodings.failingPath { _ = try Encodings.request(.post, ["t": [1]], .text("t")) } == "t")
    }

    @Test("Explicit destinations beat the method; an empty object only on request")
    func destinations() throws {
        #expect(Encodings.text(try Encodings.request(.get, ["a": 1], .form).body) == "a=1")
        #expect(try Encodings.request(.post, ["a": 1], .query).url.absoluteString == "https://h/p?a=1")
        let empty = try Encodings.request(.post, [:], JSONParameterEncoder(sendsEmptyObject: true))
        #expect(Encodings.text(empty.body) == "{}")
    }
}
