import Foundation

/// What waits to be sent on a WebSocket: control frames first, then messages in the order they came. Bounded: beyond
/// `highWater` bytes messages wait outside, with their senders. A value; its owner holds the lock.
struct SocketOutbox {
    typealias Sender = CheckedContinuation<Void, any Error>

    /// A message, or the close frame, that waits for room.
    private struct Waiting {
        var id: Int
        var bytes: Data
        var sender: Sender?
    }

    static let highWater = 256 * 1024

    private var control: [Data] = []
    private var queue: [Data] = []
    private var waiting: [Waiting] = []
    private var lastID = 0
    /// Bytes that the connection has not taken yet.
    private(set) var pending = 0

    var hasFrames: Bool { !control.isEmpty || !queue.isEmpty }

    /// Takes the bytes in, or keeps them until there is room. Returns whether they were taken in.
    mutating func add(_ bytes: Data, id: Int, sender: Sender) -> Bool {
        if pending < SocketOutbox.highWater, waiting.isEmpty {
            queue.append(bytes)
            pending += bytes.count
            return true
        }
        waiting.append(Waiting(id: id, bytes: bytes, sender: sender))
        return false
    }

    mutating func nextID() -> Int {
        lastID += 1
        return lastID
    }

    mutating func addControl(_ bytes: Data) {
        control.append(bytes)
        pending += bytes.count
    }

    /// Adds the last frame, after everything that waits.
    mutating func addLast(_ bytes: Data) {
        if waiting.isEmpty {
            queue.append(bytes)
            pending += bytes.count
        } else {
            waiting.append(Waiting(id: 0, bytes: bytes, sender: nil))
        }
    }

    /// Forgets what was not taken, for a close that nothing may follow. Returns the senders that waited.
    mutating func removeAll() -> [Sender] {
        pending -= control.reduce(0) { $0 + $1.count } + queue.reduce(0) { $0 + $1.count }
        (control, queue) = ([], [])
        defer { waiting = [] }
        return waiting.compactMap(\.sender)
    }

    /// Takes a message that still waits out again.
    mutating func remove(_ id: Int) -> Sender? {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { return nil }
        return waiting.remove(at: index).sender
    }

    /// The frames to send next.
    mutating func take() -> [Data] {
        defer { (control, queue) = ([], []) }
        return control.isEmpty ? queue : control + queue
    }

    /// Notes that so many bytes are gone, and returns the senders that needn't wait any more.
    mutating func sent(_ count: Int) -> [Sender] {
        pending -= count
        var senders: [Sender] = []
        var taken = 0
        while taken < waiting.count, pending < SocketOutbox.highWater {
            let next = waiting[taken]
            queue.append(next.bytes)
            pending += next.bytes.count
            if let sender = next.sender { senders.append(sender) }
            taken += 1
        }
        if taken > 0 { waiting.removeFirst(taken) }
        return senders
    }
}
