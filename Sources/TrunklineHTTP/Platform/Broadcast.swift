/// News for any number of readers that come and go: each has a stream of its own, and all hear in the order it was sent.
///
/// An owner with a lock of its own may call every member but ``finish()`` with that lock held; nothing here calls back.
package final class Broadcast<Element: Sendable>: Sendable {
    /// What a reader that is behind keeps.
    package typealias Buffering = AsyncStream<Element>.Continuation.BufferingPolicy

    private struct State: Sendable {
        var readers: [Int: AsyncStream<Element>.Continuation] = [:]
        var lastID = 0
        var hasEnded = false
    }

    private let state = Protected(State())
    private let buffering: Buffering

    package init(_ buffering: Buffering) { self.buffering = buffering }

    deinit { finish() }

    /// How many read now.
    package var readerCount: Int { state.withLock { $0.readers.count } }

    /// A new reader, who hears `first` first; after the end, that and nothing more.
    package func stream(from first: Element? = nil) -> AsyncStream<Element> {
        let (stream, reader) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: buffering)
        let id = state.withLock { state -> Int? in
            if let first { reader.yield(first) }
            guard !state.hasEnded else { return nil }
            state.lastID += 1
            state.readers[state.lastID] = reader
            return state.lastID
        }
        guard let id else {
            reader.finish()
            return stream
        }
        reader.onTermination = { [weak self] _ in
            // Released outside the lock.
            _ = self?.state.withLock { $0.readers.removeValue(forKey: id) }
        }
        return stream
    }

    /// Tells every reader.
    package func send(_ element: Element) {
        // Under the lock for the order. What falls out of a full buffer is released outside it: its end may end a reader.
        let fallen = state.withLock { state in state.readers.values.map { $0.yield(element) } }
        withExtendedLifetime(fallen) {}
    }

    /// Ends every stream, those to come too.
    package func finish() {
        let readers = state.withLock { state in
            state.hasEnded = true
            defer { state.readers = [:] }
            return Array(state.readers.values)
        }
        // Outside the lock: it calls `onTermination`.
        for reader in readers { reader.finish() }
    }
}
