import Foundation

/// A name that can be used for a file in any directory without leaving it: one path segment, never empty, `.` or `..`,
/// no slash, backslash or control character, 255 bytes of UTF-8 at most.
public struct SafeFileName: Hashable, Sendable, CustomStringConvertible {
    /// The most bytes of UTF-8 in a name, the limit of every common file system.
    public static let maximumLength = 255
    /// The name a download gets where neither the server nor the URL has one.
    public static let fallback = "download"

    /// The name.
    public let text: String

    /// Makes a name of what a server or a URL supplied.
    ///
    /// Everything before the last slash or backslash is dropped (RFC 6266, section 4.3), as are control characters, NUL
    /// included, marks that change the direction of text and so disguise an extension, white space around the name, and
    /// dots in front of it, which would hide the file. A name that is too long is cut before its extension.
    ///
    /// - Parameters:
    ///   - text: any text.
    ///   - isPortable: whether the name must work on Windows too: device names such as `CON` get an underscore in front,
    ///     `< > : " | ? *` become underscores, dots at the end are dropped. By default not.
    /// - Returns: nil when nothing is left.
    public init?(_ text: String, isPortable: Bool = false) {
        let segment = text.unicodeScalars.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }.last
        var scalars = String.UnicodeScalarView()
        for scalar in segment ?? "".unicodeScalars[...] where !SafeFileName.isDropped(scalar) {
            scalars.append(isPortable && SafeFileName.isForbiddenOnWindows(scalar) ? "_" : scalar)
        }
        var name = String(scalars).trimmingCharacters(in: .whitespacesAndNewlines)
        while name.first == "." || name.first?.isWhitespace == true { name.removeFirst() }
        if isPortable { name = SafeFileName.portable(name) }
        name = SafeFileName.cut(name, to: SafeFileName.maximumLength)
        guard !name.isEmpty, name.utf8.contains(where: { $0 != UInt8(ascii: ".") }) else { return nil }
        self.text = name
    }

    private init(checked text: String) { self.text = text }

    /// The name for the content of a response: the one of `Content-Disposition`, else the last segment of the URL that
    /// answered, else `fallback`; the first of them that can be used.
    public init(of response: HTTPResponse, fallback: String = SafeFileName.fallback, isPortable: Bool = false) {
        let disposition = response.headers.contentDisposition
        let segment = response.url.path(percentEncoded: true).split(separator: "/").last.map(String.init)
        let candidates = [
            disposition?.extendedName, disposition?.plainName, segment.map { $0.removingPercentEncoding ?? $0 },
            fallback,
        ]
        for candidate in candidates {
            if let candidate, let name = SafeFileName(candidate, isPortable: isPortable) {
                self = name
                return
            }
        }
        self.init(checked: SafeFileName.fallback)
    }

    /// The name with a number before its extension, `x (1).txt`, and no longer than a name may be.
    public func numbered(_ number: Int) -> SafeFileName {
        SafeFileName(checked: SafeFileName.numbered(text, number))
    }

    static func numbered(_ name: String, _ number: Int) -> String {
        let (stem, fileExtension) = split(name)
        let tail = " (\(number))" + fileExtension
        return prefix(of: stem, bytes: maximumLength - tail.utf8.count) + tail
    }

    /// The name.
    public var description: String { text }

    // MARK: - Steps

    private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F: true
        case 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x2069, 0xFEFF: true
        default: false
        }
    }

    private static func isForbiddenOnWindows(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "<", ">", ":", "\"", "|", "?", "*": true
        default: false
        }
    }

    private static func portable(_ name: String) -> String {
        var name = name
        while name.last == "." || name.last == " " { name.removeLast() }
        let stem = name.prefix { $0 != "." }.uppercased().trimmingCharacters(in: .whitespaces)
        let isNumbered = stem.count == 4 && (stem.hasPrefix("COM") || stem.hasPrefix("LPT"))
        let isDevice =
            ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].contains(stem)
            || isNumbered && (stem.last.map { "123456789¹²³".contains($0) } ?? false)
        return isDevice ? "_" + name : name
    }

    private static func cut(_ name: String, to limit: Int) -> String {
        guard name.utf8.count > limit else { return name }
        let (stem, fileExtension) = split(name)
        return prefix(of: stem, bytes: limit - fileExtension.utf8.count) + fileExtension
    }

    /// The extension with its dot; a long one is no extension.
    private static func split(_ name: String) -> (stem: String, fileExtension: String) {
        guard let dot = name.unicodeScalars.lastIndex(of: "."), dot > name.startIndex else { return (name, "") }
        let fileExtension = String(name.unicodeScalars[dot...])
        guard fileExtension.utf8.count <= 32, fileExtension.utf8.count > 1 else { return (name, "") }
        return (String(name.unicodeScalars[..<dot]), fileExtension)
    }

    /// As many whole characters as fit; whole scalars of the first one, where that alone doesn't.
    private static func prefix(of text: String, bytes limit: Int) -> String {
        var result = ""
        var count = 0
        for character in text {
            guard count + character.utf8.count <= limit else { break }
            count += character.utf8.count
            result.append(character)
        }
        guard result.isEmpty else { return result }
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            count += scalar.utf8.count
            guard count <= limit else { break }
            scalars.append(scalar)
        }
        return String(scalars)
    }
}

extension HTTPResponse {
    /// The name to save the content under; see ``SafeFileName/init(of:fallback:isPortable:)``.
    public var suggestedFileName: SafeFileName { SafeFileName(of: self) }
}
