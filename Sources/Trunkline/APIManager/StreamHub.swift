/// Those who read a sequence of news. Reached from the `deinit` of whoever has news, which may run on any thread.
final class StreamHub<Element: Sendable>: Sendable {
    private struct Readers: Sendable {
        var lastKey = 0
        var all: [Int: AsyncStream<Element>.Continuation] = [:]
    }

    private let readers = Protected(Readers())
    private let capacity: Int

    /// - Parameter capacity: how much news a reader may be behind; of more, the oldest is lost to it.
    init(capacity: Int = 64) { self.capacity = capacity }

    /// A new reader, who hears `first` first.
    func stream(from first: Element? = nil) -> AsyncStream<Element> {
        let (stream, reader) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: .bufferingNewest(capacity))
        let key = readers.withLock { readers in
            readers.lastKey += 1
            readers.all[readers.lastKey] = reader
            return readers.lastKey
        }
        reader.onTermination = { [weak self] _ in self?.remove(key) }
        if let first { reader.yield(first) }
        return stream
    }

    func send(_ element: Element) {
        // Outside the lock: a reader that has gone away ends its stream from inside the call.
        for reader in readers.withLock({ Array($0.all.values) }) { reader.yield(element) }
    }

    /// Ends every stream.
    func finish() {
        let all = readers.withLock { readers in
            defer { readers.all = [:] }
            return Array(readers.all.values)
        }
        for reader in all { reader.finish() }
    }

    private func remove(_ key: Int) { _ = readers.withLock { $0.all.removeValue(forKey: key) } }
}
