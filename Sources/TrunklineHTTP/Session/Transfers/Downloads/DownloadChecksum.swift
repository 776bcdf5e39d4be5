import Foundation

/// What the content of a download must be, checked before the file takes its place; computed while the content arrives.
public enum DownloadChecksum: Hashable, Sendable {
    /// The SHA-256 of the whole content, as 64 hexadecimal digits in either case.
    case sha256(String)
    /// The SHA-256 that the server announces in `Repr-Digest`, or of a whole answer in `Content-Digest` (RFC 9530). An
    /// answer without one ends the download with ``TransferFailure/checksumMissing``. It guards against damage, not
    /// against a server that lies.
    case announced

    /// Throws when it can't be compared with anything.
    func check() throws(HTTPError) {
        guard case .sha256(let text) = self else { return }
        guard text.utf8.count == 64,
            text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || (0x41...0x46) ~= ($0 & 0xDF) })
        else { throw .transfer(.checksumUnusable(text)) }
    }

    /// The digest that is expected, in lower case, where one is known.
    func expected(announced: String?) throws(HTTPError) -> String {
        switch self {
        case .sha256(let text): return text.lowercased()
        case .announced:
            guard let announced else { throw .transfer(.checksumMissing) }
            return announced
        }
    }

    /// The SHA-256 of the whole content that the head announces, as hexadecimal digits. Nothing where the content is coded:
    /// the digest is of the coded bytes.
    static func announced(in headers: HTTPHeaders, isWhole: Bool) -> String? {
        if let coding = headers["Content-Encoding"], !HTTPHeaders.equal(coding, "identity") { return nil }
        return digest(headers["Repr-Digest"]) ?? (isWhole ? digest(headers["Content-Digest"]) : nil)
    }

    /// Reads a dictionary of structured fields with byte sequences (RFC 8941, section 3.2): `sha-256=:base64:, …`.
    private static func digest(_ value: String?) -> String? {
        guard let value else { return nil }
        for member in value.split(separator: ",") {
            let member = member.trimmingCharacters(in: .whitespaces)
            guard let equals = member.firstIndex(of: "="), member[..<equals] == "sha-256" else { continue }
            let item = member[member.index(after: equals)...].prefix { $0 != ";" }
            guard item.first == ":", item.last == ":", item.count > 2,
                let bytes = Data(base64Encoded: String(item.dropFirst().dropLast())), bytes.count == 32
            else { continue }
            return Hexadecimal.text(of: bytes)
        }
        return nil
    }
}
