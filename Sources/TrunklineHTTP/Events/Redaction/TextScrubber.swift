import Foundation

/// Finds what looks like a hidden value in text of any kind, in one pass over its bytes.
struct TextScrubber {
    private let redaction: Redaction

    init(_ redaction: Redaction) { self.redaction = redaction }

    func scrub(_ text: String) -> String {
        let text = redaction.hidesUserInfo ? TextScrubber.withoutUserInfo(text) : text
        let bytes = Array(text.utf8)
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            guard TextScrubber.isName(bytes[index]) else {
                output.append(bytes[index])
                index += 1
                continue
            }
            let start = index
            while index < bytes.count, TextScrubber.isName(bytes[index]) { index += 1 }
            output += bytes[start..<index]
            guard let value = value(after: start..<index, in: bytes) else { continue }
            output += bytes[index..<value.lowerBound]
            output += Redaction.mask.utf8
            index = value.upperBound
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// The bytes of a hidden value that belongs to the name before it.
    private func value(after name: Range<Int>, in bytes: [UInt8]) -> Range<Int>? {
        let word = String(decoding: bytes[name], as: UTF8.self)
        if let credential = credential(after: word, at: name.upperBound, in: bytes) { return credential }
        var index = name.upperBound
        func at(_ index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }
        // `"name"` or `\"name\"`, and the end of an opening tag.
        if at(index) == TextScrubber.backslash { index += 1 }
        let isQuoted = at(index).map(TextScrubber.isQuote) ?? false
        if isQuoted || at(index) == UInt8(ascii: "]") { index += 1 }
        let isTag = name.lowerBound > 0 && bytes[name.lowerBound - 1] == UInt8(ascii: "<")
        if isTag, at(index) == UInt8(ascii: ">") {
            guard redaction.hides(word) else { return nil }
            return upTo(index + 1, in: bytes) { $0 == UInt8(ascii: "<") }
        }
        while at(index) == TextScrubber.space { index += 1 }
        guard let sign = at(index), sign == UInt8(ascii: "=") || sign == UInt8(ascii: ":"),
            redaction.hides(word.removingPercentEncoding ?? word)
        else { return nil }
        index += 1
        while at(index) == TextScrubber.space { index += 1 }
        let isEscaped = at(index) == TextScrubber.backslash
        if isEscaped { index += 1 }
        if let quote = at(index), TextScrubber.isQuote(quote) {
            return quoted(quote, isEscaped: isEscaped, index + 1, in: bytes)
        }
        if sign == UInt8(ascii: "=") { return upTo(index, in: bytes, isEnd: TextScrubber.endsItem) }
        // A quoted name with a colon and no quoted value is a sentence or a number.
        if isQuoted { return nil }
        return upTo(index, in: bytes) { $0 == 0x0A || $0 == 0x0D || $0 == UInt8(ascii: "\"") }
    }

    /// What follows `Bearer` or `Basic` and looks like a credential.
    private func credential(after word: String, at index: Int, in bytes: [UInt8]) -> Range<Int>? {
        guard index < bytes.count, bytes[index] == TextScrubber.space,
            HTTPHeaders.equal(word, "Bearer") || HTTPHeaders.equal(word, "Basic")
        else { return nil }
        let range = upTo(index + 1, in: bytes) { !(TextScrubber.isName($0) || "~+/=".utf8.contains($0)) }
        guard let range, range.count >= 8 else { return nil }
        // `Bearer realm="…"` is a challenge.
        let next = range.upperBound < bytes.count ? bytes[range.upperBound] : nil
        if next == UInt8(ascii: "\""), bytes[range.upperBound - 1] == UInt8(ascii: "=") { return nil }
        return range
    }

    /// Up to the quote that ends it: of `"a\"b"` the last, of `\"a\"` the escaped one.
    private func quoted(_ quote: UInt8, isEscaped: Bool, _ start: Int, in bytes: [UInt8]) -> Range<Int>? {
        var index = start
        while index < bytes.count, bytes[index] != quote {
            let skips = bytes[index] == TextScrubber.backslash
            if skips, isEscaped, index + 1 < bytes.count, bytes[index + 1] == quote { break }
            index += skips ? 2 : 1
        }
        index = min(index, bytes.count)
        return index > start ? start..<index : nil
    }

    private func upTo(_ start: Int, in bytes: [UInt8], isEnd: (UInt8) -> Bool) -> Range<Int>? {
        var index = start
        while index < bytes.count, !isEnd(bytes[index]) { index += 1 }
        return index > start ? start..<index : nil
    }

    private static let space: UInt8 = 0x20
    private static let backslash = UInt8(ascii: "\\")

    private static func isQuote(_ byte: UInt8) -> Bool { byte == 0x22 || byte == 0x27 }

    private static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80..., UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
            UInt8(ascii: "%"):
            true
        default: false
        }
    }

    private static func endsItem(_ byte: UInt8) -> Bool {
        byte <= 0x20 || "&\"'<>#;,)}]".utf8.contains(byte)
    }

    /// Masks what is between `//` and `@` of every URL in the text.
    static func withoutUserInfo(_ text: String) -> String {
        guard text.contains("@"), text.contains("//") else { return text }
        let bytes = Array(text.utf8)
        var output: [UInt8] = []
        var index = 0
        while index < bytes.count {
            output.append(bytes[index])
            index += 1
            guard index >= 2, bytes[index - 1] == UInt8(ascii: "/"), bytes[index - 2] == UInt8(ascii: "/") else {
                continue
            }
            // The last `@` before the end of the authority.
            var end = index
            var at: Int?
            while end < bytes.count, bytes[end] > 0x20, !"/?#\"'<>".utf8.contains(bytes[end]) {
                if bytes[end] == UInt8(ascii: "@") { at = end }
                end += 1
            }
            guard let at else { continue }
            output += Redaction.mask.utf8
            index = at
        }
        return String(decoding: output, as: UTF8.self)
    }
}
