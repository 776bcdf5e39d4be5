import Foundation

/// Bytes on their way into a connection. Small frames go in one piece.
struct SocketWriter {
    private static let piece = 64 * 1024
    private var pieces: [Data] = []
    private var first = 0
    private var offset = 0
    /// The bytes that are still to go.
    private(set) var count = 0

    mutating func append(_ frames: [Data]) {
        for frame in frames {
            count += frame.count
            let last = pieces.count - 1
            // Not the piece that has been begun.
            if last > first || last == first && offset == 0, pieces[last].count + frame.count <= SocketWriter.piece {
                pieces[last].append(frame)
            } else {
                pieces.append(frame)
            }
        }
    }

    /// Calls `send` with the next bytes; it returns how many went.
    mutating func write(_ send: (UnsafeRawBufferPointer) -> Int) {
        guard first < pieces.count else { return }
        let piece = pieces[first]
        let written = piece.withUnsafeBytes { send(UnsafeRawBufferPointer(rebasing: $0[offset...])) }
        offset += written
        count -= written
        guard offset >= piece.count else { return }
        offset = 0
        first += 1
        if first == pieces.count {
            pieces.removeAll(keepingCapacity: true)
            first = 0
        } else {
            pieces[first - 1] = Data()
        }
    }
}
