import Foundation

@testable import TrunklineHTTP

/// A parameter tree as a list of places and texts, made without the encoders, to compare with what decoders find.
enum FlatTree {
    /// One scalar: the names and positions that lead to it, and its text.
    struct Entry: Hashable {
        var path: [String]
        var text: String

        /// The entry by its bytes: Swift's own comparison takes different spellings of one character for equal.
        var bytes: [[UInt8]] { (path + [text]).map { Array($0.utf8) } }
    }

    /// What a URL-encoded text should hold, in order: no nulls, nothing of empty containers.
    static func urlEntries(_ value: ParameterValue, at path: [String] = []) -> [Entry] {
        switch value {
        case .null: []
        case .array(let elements):
            elements.enumerated().flatMap { urlEntries($0.element, at: path + [String($0.offset)]) }
        case .object(let members):
            members.keys.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
                .flatMap { key in members[key].map { urlEntries($0, at: path + [key]) } ?? [] }
        default: [Entry(path: path, text: text(value))]
        }
    }

    /// The text of a scalar, by Foundation's own means.
    static func text(_ value: ParameterValue) -> String {
        switch value {
        case .bool(let value): value ? "1" : "0"
        case .int(let value): "\(value)"
        case .uint(let value): "\(value)"
        case .double(let value): "\(value)".replacingOccurrences(of: ".0", with: "", options: [.anchored, .backwards])
        case .decimal(let value): NSDecimalNumber(decimal: value).description(withLocale: nil)
        case .string(let value): value
        case .date(let value): ISO8601DateFormatter().string(from: value)
        case .data(let value): value.base64EncodedString()
        default: ""
        }
    }

    /// What a JSON text should hold: every scalar with its kind, empty containers included.
    static func jsonEntries(_ value: ParameterValue, at path: [String] = []) -> [Entry] {
        switch value {
        case .null: [Entry(path: path, text: "null")]
        case .bool(let truth): [Entry(path: path, text: "bool \(truth)")]
        case .int, .uint, .double, .decimal: [Entry(path: path, text: "number " + number(text(value)))]
        case .string, .date, .data: [Entry(path: path, text: "text " + text(value))]
        case .array(let elements):
            [Entry(path: path, text: "array \(elements.count)")]
                + elements.enumerated().flatMap { jsonEntries($0.element, at: path + [String($0.offset)]) }
        case .object(let members):
            [Entry(path: path, text: "object \(members.count)")]
                + members.keys.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
                .flatMap { key in members[key].map { jsonEntries($0, at: path + [key]) } ?? [] }
        case .unencodable: []
        }
    }

    /// A number in one spelling: its digits without zeros at either end, and the power of ten.
    static func number(_ text: String) -> String {
        var digits = ""
        var exponent = 0
        var afterPoint = false
        var rest = Substring(text)
        let isNegative = rest.first == "-"
        if isNegative { rest = rest.dropFirst() }
        while let character = rest.popFirst() {
            switch character {
            case ".": afterPoint = true
            case "e", "E":
                exponent += Int(rest.first == "+" ? rest.dropFirst() : rest) ?? 0
                rest = ""
            default:
                digits.append(character)
                if afterPoint { exponent -= 1 }
            }
        }
        digits = String(digits.drop { $0 == "0" })
        while digits.last == "0" {
            digits.removeLast()
            exponent += 1
        }
        return digits.isEmpty ? "0" : "\(isNegative ? "-" : "")\(digits)e\(exponent)"
    }
}
