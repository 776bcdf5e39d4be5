import Foundation

/// Numbers as text, exact and the same in every locale.
enum NumberText {
    /// The shortest text that reads back as the same number; whole numbers without a fraction, `2` for 2.0. Nil for NaN
    /// and the infinities, which neither JSON (RFC 8259, section 6) nor a query has a form for.
    static func text(_ value: Double) -> String? {
        guard value.isFinite else { return nil }
        let text = value.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// All digits of the number; nil for NaN.
    static func text(_ value: Decimal) -> String? {
        value.isNaN ? nil : value.description
    }
}
