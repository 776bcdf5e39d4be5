import Foundation

/// A JSON number while it is read: its digits as one integer, and the power of ten it is times.
struct JSONNumber {
    var isNegative = false
    /// The power of ten.
    var exponent = 0
    private var significand: UInt64 = 0
    /// Whether there were more digits than the significand holds.
    private var isLong = false

    mutating func add(_ digit: UInt8) {
        let (product, overflow) = significand.multipliedReportingOverflow(by: 10)
        let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
        if overflow || carry { isLong = true }
        if !isLong { significand = sum }
    }

    mutating func addFraction(_ digit: UInt8) {
        add(digit)
        exponent -= 1
    }

    /// The value, or nil when it takes the long way.
    var value: JSONValue? {
        guard !isLong else { return nil }
        var digits = significand
        var power = exponent
        if digits == 0 { return .integer(0) }
        while power < 0, digits % 10 == 0 {
            digits /= 10
            power += 1
        }
        while power > 0 {
            let (product, overflow) = digits.multipliedReportingOverflow(by: 10)
            if overflow { break }
            digits = product
            power -= 1
        }
        if power == 0 {
            if !isNegative { return Int64(exactly: digits).map { .integer($0) } ?? .unsigned(digits) }
            if digits <= UInt64(Int64.max) { return .integer(-Int64(digits)) }
            if digits == UInt64(Int64.max) + 1 { return .integer(.min) }
        }
        guard power >= -127, JSONNumber.digitCount(digits) + power <= 127 else { return nil }
        return .decimal(Decimal(sign: isNegative ? .minus : .plus, exponent: power, significand: Decimal(digits)))
    }

    /// From here on numbers are doubles: 10¹²⁷.
    static let decimalLimit = Decimal(sign: .plus, exponent: 127, significand: 1)

    private static func digitCount(_ number: UInt64) -> Int {
        var count = 1
        var rest = number / 10
        while rest > 0 {
            rest /= 10
            count += 1
        }
        return count
    }

    /// A number of many digits or a great exponent, from its text: a decimal where that keeps every digit.
    static func long(_ text: String, _ parts: JSONNumber) throws(JSONSyntaxError) -> JSONValue {
        let mantissa = text.prefix { $0 != "e" && $0 != "E" }.filter(\.isNumber)
        let significant = mantissa.drop { $0 == "0" }.reversed().drop { $0 == "0" }
        if significant.count <= 38, (-127...89).contains(parts.exponent),
            let decimal = Decimal(string: text, locale: nil)
        {
            return JSONValue(decimal)
        }
        guard let double = Double(text), double.isFinite else {
            throw JSONSyntaxError("the number \(text.prefix(40)) is too large")
        }
        return double == 0 ? .integer(0) : .double(double)
    }
}
