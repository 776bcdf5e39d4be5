import Foundation
import Testing

@testable import TrunklineHTTP

@Suite("JSON values")
struct JSONValueTests {
    private func parse(_ text: String) throws(HTTPError) -> JSONValue { try JSONValue(parsing: Data(text.utf8)) }

    private static let big =
        #"{"id":9007199254740993,"price":129.9,"n":79228162514264337593543950335,"u":18446744073709551615}"#

    @Test("A18: integers and decimals keep every digit, parsed and decoded")
    func exactNumbers() throws {
        let data = Data(Self.big.utf8)
        for json in [try JSONValue(parsing: data), try JSONDecoder().decode(JSONValue.self, from: data)] {
            #expect(json["id"]?.int64 == 9_007_199_254_740_993)
            #expect(json["price"]?.decimal == Decimal(string: "129.9"))
            #expect(json["price"]?.double == 129.9)
            #expect(json["n"]?.decimal == Decimal(string: "79228162514264337593543950335"))
            #expect(json["u"]?.uint64 == .max)
            #expect(json["u"]?.int64 == nil)
        }
    }

    @Test("A16: a byte-order mark is skipped, and any value may be at the top")
    func topLevel() throws {
        #expect(try JSONValue(parsing: Data([0xEF, 0xBB, 0xBF]) + Data(#"{"a":1}"#.utf8)) == ["a": 1])
        #expect(try parse("5") == 5)
        #expect(try parse(#""x""#) == "x")
        #expect(try parse(" true ") == true)
        #expect(try parse("null").isNull)
        #expect(try parse("[ ]") == [])
        #expect(try parse("{ }") == [:])
    }

    @Test(
        "A number is the same value however it is spelt",
        arguments: [
            ("1", 1), ("1.0", 1), ("1e0", 1), ("10e-1", 1), ("-0", 0), ("-0.0", 0), ("0e5", 0), ("1.50", 1.5),
            ("15E-1", 1.5), ("-129.90", -129.9), ("9223372036854775807", .integer(.max)),
            ("-9223372036854775808", .integer(.min)), ("9223372036854775808", .unsigned(9_223_372_036_854_775_808)),
            ("1e3", 1000), ("0.1e+1", 1), ("1e400e", nil), ("1e-400", 0), ("123456789012345678901234567890e-20", nil),
        ] as [(String, JSONValue?)])
    func spellings(text: String, expected: JSONValue?) throws {
        guard let expected else { return }
        #expect(try parse(text) == expected)
    }

    @Test("Long numbers are decimals while 38 digits last, then doubles; too large ones are an error")
    func longNumbers() throws {
        #expect(
            try parse("1234567890123456789.0123456789")
                == .decimal(try #require(Decimal(string: "1234567890123456789.0123456789"))))
        #expect(try parse("-18446744073709551616").decimal == Decimal(string: "-18446744073709551616"))
        #expect(try parse("1e100").decimal == Decimal(string: "1e100"))
        #expect(try parse("1" + String(repeating: "0", count: 30)).decimal == Decimal(string: "1e30"))
        let long = "0." + String(repeating: "123456789", count: 6)
        #expect(try parse(long) == .double(try #require(Double(long))))
        #expect(try parse("1e300") == .double(1e300))
        #expect(try parse("2.2250738585072014e-308") == .double(2.2250738585072014e-308))
        #expect(throws: HTTPError.self) { try parse("1e400") }
        #expect(throws: HTTPError.self) { try parse("-1e999999999999999999999") }
    }

    @Test(
        "Texts and escapes",
        arguments: [
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u00e9\u4e2d\ud83d\ude00""#, "é中😀"),
            ("\"é中😀\"", "é中😀"),
            (#""a\u0000b""#, "a\0b"), (#""x\u0041y""#, "xAy"), ("\"\u{7F}\u{2028}\"", "\u{7F}\u{2028}"), (#""""#, ""),
        ])
    func texts(json: String, expected: String) throws {
        #expect(try parse(json).string == expected)
    }

    @Test(
        "What is not JSON is an error that names the place",
        arguments: [
            ("", ""), ("  ", ""), ("{", ""), ("[", "[0]"), ("[1,", "[1]"), ("[1,]", "[1]"), ("{\"a\":1,}", ""),
            ("[1 2]", "[1]"),
            ("{\"a\" 1}", "a"), ("{\"a\":}", "a"), ("{a:1}", ""), ("{\"a\":[1,{\"b\":tru}]}", "a[1].b"), ("nul", ""),
            ("01", ""), ("-", ""), ("1.", ""), (".5", ""), ("1e", ""), ("+1", ""), ("NaN", ""), ("\"a", ""),
            ("\"a\nb\"", ""),
            ("\"\\x\"", ""), ("\"\\u12G4\"", ""), ("\"\\ud800\"", ""), ("\"\\ud800\\u0041\"", ""), ("\"\\udc00\"", ""),
            ("1 1", ""), ("{}x", ""), ("]", ""), ("[}", "[0]"), ("{\"a\":1]", ""), ("'a'", ""), ("\"\\", ""),
            ("\"\\u1", ""),
        ])
    func errors(text: String, path: String) {
        do {
            let value = try parse(text)
            Issue.record("parsed as \(value)")
        } catch .decoding(let failure) {
            #expect(failure.path == path)
            #expect(!failure.reason.isEmpty)
        } catch {
            Issue.record("wrong error \(error)")
        }
    }

    @Test("Bytes that are not UTF-8 are an error, as name and as text")
    func notUTF8() {
        for bytes: [UInt8] in [
            [0x22, 0x61, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D], [0xFF],
        ] {
            #expect(throws: HTTPError.self) { try JSONValue(parsing: Data(bytes)) }
        }
    }

    @Test("Nesting has a limit that no input can get around, and the thread's stack plays no part")
    func depth() async throws {
        await onThread {
            let fine = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
            #expect(throws: Never.self) { try parse(fine) }
            for text in [String(repeating: "[", count: 1_000_000), String(repeating: "{\"a\":", count: 100_000)] {
                #expect(throws: HTTPError.self) { try parse(text) }
            }
        }
    }

    @Test("Access by name, position and path never traps")
    func access() throws {
        let json = try parse(#"{"items":[{"id":7,"t":true,"s":"x","n":null,"d":1.5}],"a.b":1,"m":[[1,2],[3]]}"#)
        #expect(json.value(at: "items[0].id")?.int == 7)
        #expect(json.value(at: "items[0].t")?.bool == true)
        #expect(json.value(at: "items[0].d")?.decimal == 1.5)
        #expect(json.value(at: "items[0].n") == .null)
        #expect(json.value(at: "m[0][1]") == 2)
        #expect(json.value(at: "m[1]")?[0] == 3)
        #expect(json.value(at: "") == json)
        #expect(json["a.b"] == 1)
        for path in [
            "items[1]", "items[-1]", "items[x]", "items[0", "items[0].id.x", "none", "items.0", "[0]", "m[0]]",
        ] {
            #expect(json.value(at: path) == nil, "\(path)")
        }
        #expect(json["items"]?[99] == nil)
        #expect(json["items"]?[0]?["t"]?.int == nil)
        #expect(json["items"]?[0]?["id"]?.bool == nil)
        #expect(JSONValue(1e300).int == nil)
    }

    @Test("A value goes back to the same JSON")
    func encodes() throws {
        let json = try parse(Self.big)
        let data = try JSONEncoder().encode(json)
        #expect(try JSONValue(parsing: data) == json)
        let body = try RequestBody.json(json)
        #expect(
            Encodings.text(body)
                == #"{"id":9007199254740993,"n":79228162514264337593543950335,"price":129.9,"u":18446744073709551615}"#)
    }

    @Test("The parser and Foundation's agree on random documents")
    func agreesWithFoundationFuzz() async throws {
        try await HeavyWork.run {
            var random = SeededRandom(seed: 42)
            for round in 0..<FuzzRounds.count(full: 5_000) {
                let tree = RandomTree.value(&random, depth: 4)
                let data = try JSONParameterEncoder().encoded(tree)
                let parsed = try JSONValue(parsing: data)
                let decoded = try JSONDecoder().decode(JSONValue.self, from: data)
                #expect(
                    decoded == parsed,
                    "seed 42, round \(round), \(String(decoding: data, as: UTF8.self)), \(parsed), \(decoded)")
            }
        }
    }

    @Test("Random damage never traps")
    func damageFuzz() async throws {
        await HeavyWork.run {
            var random = SeededRandom(seed: 7)
            let original = Array(#"{"a":[1,-2.5e3,"x\u00e9\n",true,null],"b":{"c":{}}}"#.utf8)
            for _ in 0..<FuzzRounds.count(full: 20_000) {
                var bytes = original
                for _ in 0..<random.below(4) + 1 {
                    bytes[random.below(bytes.count)] = UInt8(random.below(256))
                }
                _ = try? JSONValue(parsing: Data(bytes.prefix(random.below(bytes.count + 1))))
            }
        }
    }
}
