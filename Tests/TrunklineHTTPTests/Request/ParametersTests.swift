import Foundation
import Testing

@testable import TrunklineHTTP

@Suite("Parameters as a value")
struct ParametersTests {
    @Test("Literals take any values, nil included; the last of a repeated name stays")
    func literals() {
        let name: String? = "x"
        let none: Int? = nil
        let parameters: Parameters = ["a": name, "b": none, "c": nil, "d": [1, nil] as [Int?], "a": "y"]
        #expect(parameters["a"] == "y")
        #expect(parameters["b"] == .null)
        #expect(parameters["c"] == .null)
        #expect(parameters["d"] == .array([.int(1), .null]))
        #expect(parameters["e"] == nil)
        #expect(parameters.count == 4)
    }

    @Test("Setting, removing and merging")
    func editing() {
        var parameters: Parameters = ["b": 1, "a": ["x": 1]]
        parameters.set("c", nil)
        parameters["b"] = nil
        parameters["z"] = nil
        #expect(parameters.keys == ["a", "c"])
        #expect(parameters["c"] == .null)
        let merged = parameters.merging(["a": ["y": 2], "B": 3])
        #expect(merged == Parameters([("B", 3), ("c", NSNull()), ("a", ["y": 2])]))
        #expect(merged.keysAsGiven == ["a", "c", "B"])
        #expect(merged.map(\.key) == ["B", "a", "c"])
        #expect(Parameters().isEmpty)
    }

    @Test("Equal whatever the order, and equal values hash equally")
    func equality() {
        let one: Parameters = ["a": 1, "b": 2]
        let other: Parameters = ["b": 2, "a": 1]
        #expect(one == other && one.hashValue == other.hashValue)
        #expect(one != ["a": 1])
        #expect(one != ["a": true, "b": 2])
    }

    @Test("Dictionaries and pairs of values that are not optional")
    func sources() {
        let dictionary: [String: Any] = ["a": 1, "b": Optional<Int>.none as Any]
        #expect(Parameters(dictionary)["b"] == .null)
        let pairs: [(String, Any)] = [("z", 1), ("a", 2)]
        #expect(Parameters(pairs).keysAsGiven == ["z", "a"])
        let strings = ["a": "1"]
        #expect(Parameters(strings) == ["a": "1"])
    }
}
