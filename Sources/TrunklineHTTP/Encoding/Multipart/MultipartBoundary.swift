import Foundation

/// The delimiter of a multipart body (RFC 2046, section 5.1.1).
enum MultipartBoundary {
    /// A new delimiter of 32 random letters and digits, some 190 bits: no file holds it by chance, and nobody can guess
    /// it to plant it in one.
    static func random() -> String {
        let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
        var generator = SystemRandomNumberGenerator()
        return "Trunkline-" + String((0..<32).compactMap { _ in alphabet.randomElement(using: &generator) })
    }

    /// Refuses a delimiter that can't be one.
    static func check(_ boundary: String) throws(HTTPError) {
        let count = boundary.utf8.count
        guard (1...70).contains(count), boundary.utf8.allSatisfy(isAllowed), boundary.utf8.last != UInt8(ascii: " ")
        else {
            throw .invalidRequest(
                .body(reason: "the multipart boundary is not 1 to 70 characters of RFC 2046, section 5.1.1"))
        }
    }

    /// Whether `--boundary` occurs in the bytes.
    static func occurs(_ boundary: String, in data: Data) -> Bool {
        let needle = Array("--\(boundary)".utf8)
        guard data.count >= needle.count else { return false }
        return data.withUnsafeBytes { haystack in
            guard let base = haystack.baseAddress else { return false }
            var start = 0
            while start + needle.count <= haystack.count {
                // The last place the needle can begin bounds the search for its first byte.
                let places = haystack.count - needle.count + 1 - start
                guard let hit = memchr(base + start, Int32(UInt8(ascii: "-")), places) else { return false }
                if memcmp(hit, needle, needle.count) == 0 { return true }
                start = UnsafeRawPointer(hit) - base + 1
            }
            return false
        }
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true  // digits and letters
        case 0x20, 0x27...0x29, 0x2B...0x2F, 0x3A, 0x3D, 0x3F, 0x5F: true  // space ' ( ) + , - . / : = ? _
        default: false
        }
    }
}
