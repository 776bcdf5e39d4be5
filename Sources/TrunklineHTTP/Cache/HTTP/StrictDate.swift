import Foundation

/// HTTP dates as a cache has to read them (RFC 9111, section 4.2): exactly in one of the three forms of RFC 9110, section
/// 5.6.7, names in any case. What is nearly one is invalid, and an answer with an invalid `Expires` is stale (section 5.3).
enum StrictDate {
    /// The date, or nil.
    static func parse(_ text: String, now: Date) -> Date? {
        let bytes = Array(text.utf8)
        let isInForm =
            matches(bytes, "aaa, 00 aaa 0000 00:00:00 aaa")
            || matches(bytes, "aaa aaa _0 00:00:00 0000")
            || bytes.firstIndex(of: UInt8(ascii: ",")).map {
                (6...9).contains($0) && matches(Array(bytes[$0...]), ", 00-aaa-00 00:00:00 aaa")
            } ?? false
        return isInForm ? HTTPDate.parse(text, now: now) : nil
    }

    /// Whether the bytes have the form: `a` stands for a letter, `0` for a digit, `_` for a digit or a space.
    private static func matches(_ bytes: [UInt8], _ form: StaticString) -> Bool {
        guard bytes.count == form.utf8CodeUnitCount else { return false }
        return form.withUTF8Buffer { form in
            zip(bytes, form).allSatisfy { byte, kind in
                switch kind {
                case UInt8(ascii: "a"): (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                case UInt8(ascii: "0"): (0x30...0x39).contains(byte)
                case UInt8(ascii: "_"): byte == 0x20 || (0x30...0x39).contains(byte)
                default: byte == kind
                }
            }
        }
    }
}
