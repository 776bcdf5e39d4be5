import Foundation

@testable import TrunklineHTTP

/// Random parameter trees of every kind of value.
enum RandomTree {
    private static let alphabet: [String] = [
        "a", "B", "7", " ", "+", "%", "&", "=", "/", "?", "#", "[", "]", ".", ",", ";", "\"", "\\", "\n", "\r", "\0",
        "é",
        "e\u{301}", "中", "😀", "\u{FFFF}", "~", "-", "_", "<", "\u{7F}", "%41", "'",
    ]

    static func text(_ random: inout SeededRandom, atLeast minimum: Int = 0) -> String {
        (0..<minimum + random.below(8)).map { _ in alphabet[random.below(alphabet.count)] }.joined()
    }

    static func scalar(_ random: inout SeededRandom) -> ParameterValue {
        switch random.below(9) {
        case 0: .bool(Bool.random(using: &random))
        case 1: .int(Int64(truncatingIfNeeded: random.next()) >> Int64(random.below(64)))
        case 2: .uint(random.next() | 1 << 63)
        case 3: .double(double(&random))
        case 4:
            .decimal(
                Decimal(
                    sign: Bool.random(using: &random) ? .plus : .minus, exponent: random.below(60) - 40,
                    significand: Decimal(random.next())))
        case 5: .date(Date(timeIntervalSince1970: Double(random.below(4_000_000_000) - 1_000_000_000)))
        case 6: .data(Data((0..<random.below(20)).map { _ in UInt8(truncatingIfNeeded: random.next()) }))
        default: .string(text(&random))
        }
    }

    private static func double(_ random: inout SeededRandom) -> Double {
        let value = Double(bitPattern: random.next())
        return value.isFinite ? value : Double(random.below(1000)) / 8
    }

    static func value(_ random: inout SeededRandom, depth: Int) -> ParameterValue {
        guard depth > 0 else { return scalar(&random) }
        switch random.below(5) {
        case 0: return .array((0..<random.below(4)).map { _ in value(&random, depth: depth - 1) })
        case 1: return .object(object(&random, depth: depth - 1))
        case 2: return random.below(4) == 0 ? .null : scalar(&random)
        default: return scalar(&random)
        }
    }

    static func object(_ random: inout SeededRandom, depth: Int) -> [String: ParameterValue] {
        var result: [String: ParameterValue] = [:]
        for _ in 0..<random.below(5) { result[text(&random, atLeast: 1)] = value(&random, depth: depth) }
        return result
    }
}
