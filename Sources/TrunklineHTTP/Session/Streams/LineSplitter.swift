import Foundation

/// Cuts bytes that come in pieces into lines. Pure; the cuts don't depend on the pieces.
///
/// A line ends with LF or CR LF and, where asked for, with CR alone. The last line needs no end. What ends a line is not
/// part of it. Because the ends are ASCII, a character of several bytes is never cut.
struct LineSplitter: Sendable {
    /// The most bytes of a line, its end not counted.
    let maximumLength: Int
    /// Whether CR alone ends a line.
    let splitsAtCR: Bool
    /// How many lines were given so far.
    private(set) var count = 0

    private var buffer = Data()
    /// Where in the buffer the next line begins, and up to where it is known to have no end.
    private var start: Int
    private var scanned: Int
    private var skipsLineFeed = false
    /// The next LF from `scanned` on, or the end of the buffer where there is none; -1 while nobody has looked.
    private var nextFeed = -1

    init(maximumLength: Int, splitsAtCR: Bool = true) {
        self.maximumLength = max(0, maximumLength)
        self.splitsAtCR = splitsAtCR
        start = 0
        scanned = 0
    }

    /// Takes the next piece.
    mutating func append(_ piece: Data) {
        nextFeed = -1
        if start >= buffer.count {
            // Everything was given: nothing has to be copied.
            buffer = piece.startIndex == 0 ? piece : Data(piece)
            (start, scanned) = (0, 0)
            return
        }
        if start > 0 {
            buffer.removeSubrange(0..<start)
            scanned -= start
            start = 0
        }
        buffer.append(piece)
    }

    /// The next whole line, or nil when more bytes are needed.
    mutating func next() throws(HTTPError) -> Data? {
        if skipsLineFeed, start < buffer.count {
            // The CR was the end; an LF right after it belongs to it.
            if buffer[start] == 0x0A { start += 1 }
            scanned = max(scanned, start)
            skipsLineFeed = false
        }
        guard let end = findEnd() else {
            scanned = buffer.count
            // A CR at the end may turn out to be part of the line's end.
            let isHeld = !splitsAtCR && buffer.count > start && buffer[buffer.count - 1] == 0x0D
            try check(length: buffer.count - start - (isHeld ? 1 : 0))
            return nil
        }
        var contentEnd = end
        if buffer[end] == 0x0D {
            skipsLineFeed = true
        } else if end > start, buffer[end - 1] == 0x0D {
            contentEnd -= 1
        }
        try check(length: contentEnd - start)
        let line = buffer[start..<contentEnd]
        start = end + 1
        scanned = start
        count += 1
        return line
    }

    /// The last line, where the content doesn't end with the end of a line. Nothing comes after it.
    mutating func finish() throws(HTTPError) -> Data? {
        if let line = try next() { return line }
        guard start < buffer.count else { return nil }
        let line = buffer[start...]
        buffer = Data()
        (start, scanned) = (0, 0)
        count += 1
        return line
    }

    /// Where the end of the next line is: its LF, or its CR where that stands alone or comes last.
    private mutating func findEnd() -> Int? {
        if nextFeed < scanned { nextFeed = find(0x0A, from: scanned, to: buffer.count) }
        let feed = nextFeed
        if splitsAtCR {
            let carriage = find(0x0D, from: scanned, to: feed)
            // In CR LF the LF is the end, and the CR goes with it.
            if carriage < feed, carriage + 1 < feed || feed == buffer.count { return carriage }
        }
        return feed < buffer.count ? feed : nil
    }

    /// The first such byte in the range of the buffer, or the end of the range.
    private func find(_ byte: UInt8, from start: Int, to end: Int) -> Int {
        buffer.withUnsafeBytes { bytes in
            guard start < end, end <= bytes.count, let base = bytes.baseAddress else { return end }
            let found = memchr(base + start, Int32(byte), end - start)
            return found.map { UnsafeRawPointer($0) - base } ?? end
        }
    }

    private func check(length: Int) throws(HTTPError) {
        if length > maximumLength {
            throw .invalidResponse(reason: "line \(count + 1) is longer than \(maximumLength) bytes")
        }
    }
}
