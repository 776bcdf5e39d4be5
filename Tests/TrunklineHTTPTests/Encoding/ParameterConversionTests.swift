import Foundation
import Testing

@testable import TrunklineHTTP

@Suite("Any value becomes a typed parameter")
struct ParameterConversionTests {
    enum Number: Int { case two = 2 }
    enum Word: String, CodingKeyRepresentable, Encodable { case hi = "HI" }
    struct Flags: OptionSet { let rawValue: UInt8 }
    struct Plain {}
    struct Model: Encodable {
        var id = 7
        var name: String?
        var when = Date(timeIntervalSince1970: 0)
        var bytes = Data([1])
        var price = Decimal(string: "0.10") ?? 0
        var link = URL(string: "https://h/é")
        var uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
        var tiny: Float = 0.1
        var big = UInt64.max
        var nested = ["k": [1, 2]]
        var word = Word.hi
    }

    @Test("Scalars of every type, alone, in optionals, arrays and dictionaries")
    func scalars() {
        for (value, expected) in Self.scalars {
            #expect(ParameterValue(converting: value) == expected)
            #expect(ParameterValue(converting: Optional(value) as Any) == expected)
            #expect(ParameterValue(converting: Optional(Optional(value)) as Any) == expected)
            #expect(ParameterValue(converting: [value]) == .array([expected]))
            #expect(ParameterValue(converting: ["k": value]) == .object(["k": expected]))
        }
    }

    private static var scalars: [(Any, ParameterValue)] {
        [
            (true, .bool(true)), (1, .int(1)), (Int8(-1), .int(-1)), (Int16(2), .int(2)), (Int32(3), .int(3)),
            (Int64.min, .int(.min)), (UInt(4), .int(4)), (UInt8(5), .int(5)), (UInt16(6), .int(6)),
            (UInt32.max, .int(4_294_967_295)),
            (UInt64(1), .int(1)), (UInt64.max, .uint(.max)), (1.5, .double(1.5)), (Float(0.1), .double(0.1)),
            (CGFloat(2.5), .double(2.5)), (Decimal(3), .decimal(3)), ("x", .string("x")),
            ("xyz".dropFirst(), .string("yz")),
            (Character("é"), .string("é")), ("s" as StaticString, .string("s")), (NSString("n"), .string("n")),
            (NSNull(), .null),
            (NSNumber(value: true), .bool(true)), (NSNumber(value: 1), .int(1)),
            (NSNumber(value: UInt64.max), .uint(.max)),
            (NSNumber(value: 2.5), .double(2.5)), (NSNumber(value: Float(0.1)), .double(0.1)),
            (NSNumber(value: Int64.min), .int(.min)),
            (NSNumber(value: 200 as UInt8), .int(200)),
            (NSDecimalNumber(string: "129.9"), .decimal(Decimal(string: "129.9") ?? 0)),
            (Date(timeIntervalSince1970: 1), .date(Date(timeIntervalSince1970: 1))),
            (NSDate(timeIntervalSince1970: 1), .date(Date(timeIntervalSince1970: 1))),
            (Data([1]), .data(Data([1]))), (NSData(data: Data([1])), .data(Data([1]))),
            (URL(string: "https://h/a b") as Any, .string("https://h/a%20b")),
            (
                UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)),
                .string("00000000-0000-0000-0000-000000000001")
            ),
            (Number.two, .int(2)), (Word.hi, .string("HI")), (Flags(rawValue: 3), .int(3)),
            (ParameterValue.int(9), .int(9)),
            (AnyHashable(5), .int(5)), (AnyHashable("a"), .string("a")), (AnyHashable(true), .bool(true)),
            (JSONValue.array([1, 1.5, .null, "x"]), .array([.int(1), .decimal(1.5), .null, .string("x")])),
        ]
    }

    @Test("Collections: arrays in order, sets sorted, dictionaries by the text of their keys")
    func collections() {
        #expect(ParameterValue(converting: [1, 2][...]) == [1, 2])
        #expect(ParameterValue(converting: ContiguousArray([1])) == [1])
        #expect(
            ParameterValue(converting: NSArray(array: [1, "x", NSNull()])) == .array([.int(1), .string("x"), .null]))
        #expect(ParameterValue(converting: Set([10, 9, 2, 1])) == [1, 2, 9, 10])
        #expect(ParameterValue(converting: Set(["b", "a", "é", "Z"])) == ["Z", "a", "b", "é"])
        #expect(ParameterValue(converting: Set([2.5, -1, 10])) == [-1.0, 2.5, 10.0])
        #expect(
            ParameterValue(converting: [AnyHashable("x"), AnyHashable(1), AnyHashable(true)] as Set<AnyHashable>)
                == .array([.bool(true), .int(1), .string("x")]))
        #expect(ParameterValue(converting: [1: "a", 2: "b"]) == ["1": "a", "2": "b"])
        #expect(ParameterValue(converting: [Word.hi: 1]) == ["HI": 1])
        #expect(ParameterValue(converting: NSDictionary(dictionary: ["a": NSNumber(value: true)])) == ["a": true])
        #expect(ParameterValue(converting: [AnyHashable("a"): 1]) == ["a": 1])
        #expect(ParameterValue(converting: [Int?.none, 1]) == .array([.null, .int(1)]))
        #expect(ParameterValue(converting: ["a": Parameters(["b": 1])]) == ["a": ["b": 1]])
    }

    private static let id = "00000000-0000-0000-0000-000000000001"

    @Test("Encodable models, whole and inside a dictionary")
    func models() throws {
        let expected: [String: ParameterValue] = [
            "id": 7, "when": .date(Date(timeIntervalSince1970: 0)), "bytes": .data(Data([1])),
            "price": .decimal(Decimal(string: "0.1") ?? 0), "link": "https://h/%C3%A9", "uuid": .string(Self.id),
            "tiny": 0.1,
            "big": .uint(.max), "nested": ["k": [1, 2]], "word": "HI",
        ]
        #expect(try Parameters(encoding: Model()).values == expected)
        #expect(ParameterValue(converting: Model()) == .object(expected))
        #expect(try Parameters(encoding: ["b": 1, "a": 2]).keys == ["a", "b"])
        #expect(try Parameters(encoding: Model?.none).isEmpty)
        #expect(throws: HTTPError.self) { try Parameters(encoding: [1, 2]) }
        #expect(throws: HTTPError.self) { try Parameters(encoding: 5) }
    }

    @Test("The same model, by way of the model or a dictionary, gives what Foundation gives")
    func agreesWithFoundation() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        let foundation = try JSONValue(parsing: encoder.encode(Model()))
        #expect(try JSONValue(parsing: RequestBody.json(Model()).data ?? Data()) == foundation)
    }

    /// A class hierarchy with `super`, nested containers and a container asked for twice.
    final class Odd: Encodable {
        enum Key: String, CodingKey { case a, list, sub, twice }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encodeNil(forKey: .a)
            var list = container.nestedUnkeyedContainer(forKey: .list)
            try list.encode(1)
            try list.encodeNil()
            var inner = list.nestedContainer(keyedBy: Key.self)
            try inner.encode("x", forKey: .a)
            var deep = list.nestedUnkeyedContainer()
            try deep.encode(true)
            try [2].encode(to: list.superEncoder())
            var sub = container.nestedContainer(keyedBy: Key.self, forKey: .sub)
            try sub.encode(2, forKey: .a)
            try ["s": 1].encode(to: container.superEncoder())
            var again = encoder.container(keyedBy: Key.self)
            try again.encode(UInt8(3), forKey: .twice)
        }
    }

    struct Nothing: Encodable { func encode(to encoder: any Encoder) throws {} }

    @Test("Every container an Encodable may ask for")
    func containers() throws {
        #expect(
            ParameterValue(converting: Odd()) == [
                "a": .null, "list": .array([.int(1), .null, ["a": "x"], [true], [2]]), "sub": ["a": 2],
                "super": ["s": 1],
                "twice": 3,
            ])
        #expect(ParameterValue(converting: Nothing()) == [:])
    }

    struct Failing: Encodable {
        var value = 1
        func encode(to encoder: any Encoder) throws {
            throw EncodingError.invalidValue(
                value, EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "no good"))
        }
    }

    @Test("What can't be carried keeps its place until the encoder refuses it")
    func unencodable() throws {
        let parameters: Parameters = ["ok": 1, "list": [1, Plain()] as [Any]]
        #expect(Encodings.failingPath { _ = try Encodings.json(parameters) } == "list[1]")
        #expect(Encodings.failingPath { _ = try Encodings.query(["f": Failing()]) } == "f")
        #expect(Encodings.failingPath { _ = try Parameters(encoding: ["a": [Failing()]]) } == "a[0]")
        for value: Any in [Plain(), NSObject(), Plain.self, { 1 }, (1, 2)] as [Any] {
            guard case .unencodable(let reason) = ParameterValue(converting: value) else {
                Issue.record("\(value) was accepted")
                continue
            }
            #expect(!reason.isEmpty)
        }
        guard case .unencodable = ParameterValue(converting: [AnyHashable(1): 1, AnyHashable("1"): 2]) else {
            Issue.record("two keys of one text were accepted")
            return
        }
    }

    @Test("Nesting has a limit, whichever way the tree came")
    func depth() throws {
        var values: Any = 1
        var tree: ParameterValue = 1
        for _ in 0..<ParameterValue.maximumDepth - 1 {
            values = [values]
            tree = .array([tree])
        }
        #expect(throws: Never.self) { try Encodings.json(["a": values]) }
        #expect(throws: Never.self) { try Encodings.query(Parameters(values: ["a": tree])) }
        for _ in 0..<3 {
            values = [values]
            tree = .array([tree])
        }
        for parameters in [["a": values], Parameters(values: ["a": tree])] {
            #expect(Encodings.failingPath { _ = try Encodings.json(parameters) }?.hasPrefix("a[0][0]") == true)
            #expect(Encodings.failingPath { _ = try Encodings.query(parameters) }?.hasPrefix("a[0][0]") == true)
        }
        struct Chain: Encodable {
            let depth: Int
            enum Key: CodingKey { case next }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                if depth > 0 { try container.encode(Chain(depth: depth - 1), forKey: .next) }
            }
        }
        #expect(throws: Never.self) { try RequestBody.json(Chain(depth: 100)) }
        #expect(throws: HTTPError.self) { try RequestBody.json(Chain(depth: 100_000)) }
    }

    @Test("The deepest tree fits the smallest stack a thread is given")
    func smallStack() async {
        let parameters = await onSmallStack { () -> Parameters in
            var value: Any = 1
            for _ in 0..<ParameterValue.maximumDepth - 1 { value = ["k": value] as [String: Any] }
            return ["a": value]
        }
        let json = await onSmallStack { try? Encodings.json(parameters) }
        #expect(json != nil)
        #expect(await onSmallStack { try? Encodings.query(parameters) } != nil)
        #expect(await onSmallStack { JSONValueDepth.parse(json ?? "") })
    }

    private func onSmallStack<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: work()) }
            // The sanitizer's frames are larger than those an app has.
            thread.stackSize = (Sanitizer.isThread ? 8 : 1) * 512 << 10
            thread.start()
        }
    }
}

private enum JSONValueDepth {
    static func parse(_ text: String) -> Bool {
        let deep = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
        return [text, deep].allSatisfy { (try? JSONValue(parsing: Data($0.utf8))) != nil }
    }
}
