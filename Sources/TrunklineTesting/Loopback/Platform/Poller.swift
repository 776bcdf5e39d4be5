import Foundation

/// What an event loop waits on: poll(2), available everywhere and level-triggered, so an event is reported for as long
/// as its cause lasts. The list of descriptors is kept between calls.
struct Poller {
    /// What a descriptor is watched for. Its failure is always reported.
    struct Interest: OptionSet {
        let rawValue: Int16
        static let read = Interest(rawValue: Int16(POLLIN))
        static let write = Interest(rawValue: Int16(POLLOUT))
    }

    /// What happened to a descriptor.
    struct Event {
        /// The name the descriptor was added with.
        var token: Int
        var isReadable: Bool
        var isWritable: Bool
        /// Both directions are closed, or the connection failed.
        var isBroken: Bool
    }

    private var entries: [pollfd] = []
    private var tokens: [Int] = []
    private var positions: [Int32: Int] = [:]

    /// Starts watching a descriptor, which has the token as its name in events.
    mutating func add(_ descriptor: Int32, token: Int, interest: Interest) {
        positions[descriptor] = entries.count
        entries.append(pollfd(fd: descriptor, events: interest.rawValue, revents: 0))
        tokens.append(token)
    }

    /// Changes what is watched for.
    mutating func update(_ descriptor: Int32, interest: Interest) {
        guard let position = positions[descriptor] else { return }
        entries[position].events = interest.rawValue
    }

    /// Stops watching a descriptor; call it before closing it.
    mutating func remove(_ descriptor: Int32) {
        guard let position = positions.removeValue(forKey: descriptor) else { return }
        let last = entries.count - 1
        if position != last {
            entries[position] = entries[last]
            tokens[position] = tokens[last]
            positions[entries[position].fd] = position
        }
        entries.removeLast()
        tokens.removeLast()
    }

    /// Waits for events, at most `milliseconds` (-1: for ever), and puts them into `events`.
    mutating func wait(milliseconds: Int32, into events: inout [Event]) {
        events.removeAll(keepingCapacity: true)
        let count = entries.count
        let happened = entries.withUnsafeMutableBufferPointer { poll($0.baseAddress, nfds_t(count), milliseconds) }
        guard happened > 0 else { return }
        var left = Int(happened)
        entries.withUnsafeBufferPointer { entries in
            for (position, entry) in entries.enumerated() where entry.revents != 0 {
                let mask = Int32(entry.revents)
                events.append(
                    Event(
                        token: tokens[position], isReadable: mask & Int32(POLLIN) != 0,
                        isWritable: mask & Int32(POLLOUT) != 0,
                        isBroken: mask & Int32(POLLERR | POLLHUP | POLLNVAL) != 0))
                left -= 1
                if left == 0 { break }
            }
        }
    }
}
