import Foundation

/// The rules of `tracestate` (W3C Trace Context, section 3.3).
enum TraceState {
    /// The value where it is valid: at most 32 members `key=value` of the allowed characters, no key twice.
    static func checked(_ text: String) -> String? {
        var keys: Set<String> = []
        let members = text.split(separator: ",", omittingEmptySubsequences: true)
            .map { String($0).trimmingCharacters(in: CharacterSet(charactersIn: " \t")) }.filter { !$0.isEmpty }
        guard members.count <= 32, text.utf8.count <= 8192 else { return nil }
        for member in members {
            guard let equals = member.firstIndex(of: "=") else { return nil }
            let key = String(member[..<equals])
            guard isKey(key), isValue(member[member.index(after: equals)...]), keys.insert(key).inserted else {
                return nil
            }
        }
        return members.joined(separator: ",")
    }

    private static func isKey(_ key: String) -> Bool {
        let parts = key.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count <= 2, let name = parts.first?.utf8 else { return false }
        func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
        func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
        func isFit(_ text: Substring.UTF8View) -> Bool {
            text.allSatisfy { isLetter($0) || isDigit($0) || "_-*/".utf8.contains($0) }
        }
        guard let first = name.first, isFit(name) else { return false }
        guard parts.count == 2 else { return isLetter(first) && name.count <= 256 }
        let system = parts[1].utf8
        guard let letter = system.first, isLetter(letter), isFit(system) else { return false }
        return (isLetter(first) || isDigit(first)) && name.count <= 241 && system.count <= 14
    }

    /// Printable ASCII without comma and equals sign, not ending with a space.
    private static func isValue(_ value: Substring) -> Bool {
        let bytes = value.utf8
        return (1...256).contains(bytes.count) && bytes.last != 0x20
            && bytes.allSatisfy { (0x20...0x7E).contains($0) && $0 != 0x2C && $0 != 0x3D }
    }
}
