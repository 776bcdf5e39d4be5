/// Names to be found whatever their spelling.
struct RedactedNames: Hashable, Sendable {
    let names: Set<String>
    private let folded: Set<String>

    init(_ names: Set<String>) {
        self.names = names
        folded = Set(names.map(RedactedNames.fold))
    }

    var isEmpty: Bool { names.isEmpty }

    /// Whether a folded name is among them.
    func contains(_ name: String) -> Bool { folded.contains(name) }

    /// Whether one of them is part of a folded name.
    func isPart(of name: String) -> Bool { folded.contains { !$0.isEmpty && name.contains($0) } }

    /// The letters and digits of a name, in lower case.
    static func fold(_ name: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(name.utf8.count)
        for byte in name.utf8 {
            switch byte {
            case 0x41...0x5A: bytes.append(byte + 0x20)
            case 0x30...0x39, 0x61...0x7A, 0x80...: bytes.append(byte)
            default: break
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
