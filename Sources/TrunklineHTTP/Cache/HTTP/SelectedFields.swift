/// The request fields that `Vary` of an answer names, in a form in which equal means the same (RFC 9111, section 4.1).
enum SelectedFields {
    /// The names in `Vary`, in lower case, sorted, each once.
    static func names(_ headers: HTTPHeaders) -> [String] {
        guard headers.contains("Vary") else { return [] }
        return Array(Set(FieldList.names("Vary", in: headers))).sorted()
    }

    /// The request's fields of these names, one line each, normalised: lines combined, white space around commas removed,
    /// and the lists of languages, codings and types, in which order has no meaning, sorted and in lower case. The values of
    /// credentials are replaced by a digest, since they would be written to disk.
    static func of(_ request: HTTPHeaders, names: [String]) -> HTTPHeaders {
        var selected = HTTPHeaders()
        for name in names {
            guard let value = request[name] else { continue }
            selected.add(name, normalised(value, of: name))
        }
        return selected
    }

    private static func normalised(_ value: String, of name: String) -> String {
        switch name {
        case "authorization", "proxy-authorization", "cookie":
            return SHA256Digest.hex(of: Array(value.utf8))
        case "accept-language", "accept-encoding", "accept-charset", "accept":
            let members = FieldList.members(of: value).map { member in
                String(decoding: member.utf8.filter { $0 != 0x20 && $0 != 0x09 }, as: UTF8.self).lowercased()
            }
            return members.sorted().joined(separator: ",")
        default:
            guard value.utf8.contains(where: { $0 == UInt8(ascii: ",") || $0 == 0x20 || $0 == 0x09 }) else {
                return value
            }
            // Commas inside quoted strings are no separators; then the text is compared as it is.
            guard !value.utf8.contains(UInt8(ascii: "\"")) else { return FieldList.trimmed(value) }
            return FieldList.members(of: value).joined(separator: ",")
        }
    }

    /// The one language an `Accept-Language` wants most, in lower case; nil where several are as welcome, or any.
    static func preferredLanguage(_ request: HTTPHeaders) -> String? {
        guard let value = request["Accept-Language"] else { return nil }
        var best: (language: String, quality: Int)?
        var isTied = false
        for member in FieldList.members(of: value) {
            let parts = member.split(separator: ";").map { FieldList.trimmed(String($0)) }
            guard let language = parts.first?.lowercased(), let quality = quality(parts.dropFirst()) else { return nil }
            guard let current = best else {
                best = (language, quality)
                continue
            }
            if quality == current.quality { isTied = true }
            if quality > current.quality { (best, isTied) = ((language, quality), false) }
        }
        guard let best, best.quality > 0, !isTied, best.language != "*" else { return nil }
        return best.language
    }

    /// A weight in thousandths (RFC 9110, section 12.4.2); nil when it is malformed.
    private static func quality(_ parameters: some Collection<String>) -> Int? {
        guard let parameter = parameters.first else { return 1000 }
        let pair = parameter.split(separator: "=", omittingEmptySubsequences: false)
        guard parameters.count == 1, pair.count == 2, pair[0].lowercased() == "q" else { return nil }
        let digits = pair[1].split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(digits.count), let whole = CacheControl.seconds(digits[0]), whole <= 1 else {
            return nil
        }
        guard digits.count == 2, !digits[1].isEmpty else { return whole * 1000 }
        guard digits[1].utf8.count <= 3, let fraction = CacheControl.seconds(digits[1]) else { return nil }
        let scale = [100, 10, 1][digits[1].utf8.count - 1]
        return whole == 0 || fraction == 0 ? whole * 1000 + fraction * scale : nil
    }
}
