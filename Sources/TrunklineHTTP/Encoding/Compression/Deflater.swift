/// Deflate (RFC 1951) as one block with the fixed Huffman codes: repeated text becomes references back of up to 32 KiB.
/// Made for request bodies, JSON and forms, where most of the gain is in the references.
struct Deflater {
    private static let windowSize = 32768
    private static let longestMatch = 258
    /// How many earlier places are tried for the longest match.
    private static let attempts = 32

    private let bytes: [UInt8]
    /// The last place of each hash of three bytes, or -1.
    private var lastPlace = [Int32](repeating: -1, count: 1 << 15)
    /// The place before with the same hash, by place modulo the window.
    private var placeBefore: [Int32]
    private var output = BitWriter()

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        placeBefore = [Int32](repeating: -1, count: Deflater.windowSize)
    }

    /// The compressed bytes.
    mutating func compress() -> [UInt8] {
        output.append(1, count: 1)  // the last block
        output.append(1, count: 2)  // fixed codes
        var place = 0
        while place < bytes.count {
            let match = longestMatch(at: place)
            if match.length >= 3 {
                append(length: match.length, distance: match.distance)
                for covered in place..<place + match.length { remember(covered) }
                place += match.length
            } else {
                append(symbol: Int(bytes[place]))
                remember(place)
                place += 1
            }
        }
        append(symbol: 256)
        return output.finished()
    }

    // MARK: - Finding repeats

    private func hash(at place: Int) -> Int? {
        guard place + 2 < bytes.count else { return nil }
        let word = UInt32(bytes[place]) | UInt32(bytes[place + 1]) << 8 | UInt32(bytes[place + 2]) << 16
        return Int((word &* 0x9E37_79B1) >> 17)
    }

    private mutating func remember(_ place: Int) {
        // Places beyond Int32 are not looked for; bodies in memory are far smaller.
        guard let hash = hash(at: place), let number = Int32(exactly: place) else { return }
        placeBefore[place & (Deflater.windowSize - 1)] = lastPlace[hash]
        lastPlace[hash] = number
    }

    private func longestMatch(at place: Int) -> (length: Int, distance: Int) {
        guard let hash = hash(at: place) else { return (0, 0) }
        let limit = min(Deflater.longestMatch, bytes.count - place)
        var best = (length: 0, distance: 0)
        var candidate = Int(lastPlace[hash])
        for _ in 0..<Deflater.attempts {
            guard candidate >= 0, place - candidate <= Deflater.windowSize else { break }
            let length = commonLength(candidate, place, limit: limit, toBeat: best.length)
            if length > best.length { best = (length, place - candidate) }
            if best.length == limit { break }
            let before = Int(placeBefore[candidate & (Deflater.windowSize - 1)])
            // The chain runs backwards; a place that was overwritten by a newer one ends it.
            guard before < candidate else { break }
            candidate = before
        }
        return best
    }

    private func commonLength(_ first: Int, _ second: Int, limit: Int, toBeat best: Int) -> Int {
        if best > 0, best < limit, bytes[first + best] != bytes[second + best] { return 0 }
        var length = 0
        while length < limit, bytes[first + length] == bytes[second + length] { length += 1 }
        return length
    }

    // MARK: - Writing (RFC 1951, section 3.2.6)

    private mutating func append(symbol: Int) {
        switch symbol {
        case ..<144: output.appendCode(UInt32(0x30 + symbol), count: 8)
        case ..<256: output.appendCode(UInt32(0x190 + symbol - 144), count: 9)
        case ..<280: output.appendCode(UInt32(symbol - 256), count: 7)
        default: output.appendCode(UInt32(0xC0 + symbol - 280), count: 8)
        }
    }

    private mutating func append(length: Int, distance: Int) {
        let (lengthCode, lengthExtra) = Deflater.code(of: length, in: Deflater.lengthStarts)
        append(symbol: 257 + lengthCode)
        // The last code stands for 258 alone and has no extra bits.
        let lengthBits = lengthCode == 28 ? 0 : max(0, lengthCode / 4 - 1)
        output.append(UInt32(lengthExtra), count: lengthBits)
        let (distanceCode, distanceExtra) = Deflater.code(of: distance, in: Deflater.distanceStarts)
        output.appendCode(UInt32(distanceCode), count: 5)
        output.append(UInt32(distanceExtra), count: max(0, distanceCode / 2 - 1))
    }

    /// The code whose range holds the value, and how far into the range it is.
    private static func code(of value: Int, in starts: [Int]) -> (code: Int, extra: Int) {
        var low = 0
        var high = starts.count - 1
        while low < high {
            let middle = (low + high + 1) / 2
            if starts[middle] <= value { low = middle } else { high = middle - 1 }
        }
        return (low, value - starts[low])
    }

    /// The first length of each code.
    private static let lengthStarts = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
        258,
    ]

    /// The first distance of each code.
    private static let distanceStarts = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
        6145,
        8193, 12289, 16385, 24577,
    ]
}
