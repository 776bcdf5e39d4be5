/// The `Content-Disposition` field of a response (RFC 6266): whether it is meant to be saved, and under which name.
///
/// Reading never fails on odd input: what can't be understood is left out. The name is the server's and must not be used
/// as a path as it is; ``SafeFileName`` makes one that can.
public struct ContentDisposition: Hashable, Sendable {
    /// The disposition type in lower case, such as `attachment` or `inline`. A field that begins with a parameter, as some
    /// servers send it, counts as `attachment`.
    public let type: String
    /// The value of `filename`, without quotes and escapes; nil when there is none.
    public let plainName: String?
    /// The value of `filename*`, decoded (RFC 8187); nil when there is none, or it is broken or in an unknown charset.
    public let extendedName: String?

    /// The server's name: `filename*` where it can be read, else `filename` (RFC 6266, section 4.3).
    public var filename: String? { extendedName ?? plainName }

    /// Reads the field's value; nil when it is empty.
    public init?(_ text: String) {
        var reader = DispositionReader(text)
        guard let first = reader.token() else { return nil }
        var plain: String?
        var extended: String?
        if reader.skip(UInt8(ascii: "=")) {
            type = "attachment"
            ContentDisposition.take(first, reader.value(), &plain, &extended)
        } else {
            type = first.lowercased()
        }
        while reader.skipToParameter() {
            guard let name = reader.token(), reader.skip(UInt8(ascii: "=")) else { continue }
            ContentDisposition.take(name, reader.value(), &plain, &extended)
        }
        plainName = plain
        extendedName = extended
    }

    /// The first parameter of a name counts.
    private static func take(_ name: String, _ value: String, _ plain: inout String?, _ extended: inout String?) {
        switch name.lowercased() {
        case "filename" where plain == nil: plain = value
        case "filename*" where extended == nil: extended = decode(value)
        default: break
        }
    }

    /// Decodes `charset'language'percent-encoded` (RFC 8187, section 3.2) in the two charsets that are in use.
    private static func decode(_ value: String) -> String? {
        let parts = value.utf8.split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = percentDecoded(parts[2]) else { return nil }
        switch String(decoding: parts[0], as: UTF8.self).lowercased() {
        case "utf-8": return String(validating: bytes, as: UTF8.self)
        case "iso-8859-1":
            var text = String.UnicodeScalarView()
            for byte in bytes { text.append(Unicode.Scalar(byte)) }
            return String(text)
        default: return nil
        }
    }

    private static func percentDecoded(_ text: Substring.UTF8View.SubSequence) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(hexadecimal), let low = rest.popFirst().flatMap(hexadecimal)
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}

extension HTTPHeaders {
    /// `Content-Disposition` in its parts; nil when it is absent or empty. Of several lines the first counts.
    public var contentDisposition: ContentDisposition? {
        values(for: "Content-Disposition").first.flatMap { ContentDisposition($0) }
    }
}
