import Foundation
import TrunklineHTTP

/// A stream of chunks at a limited rate. Pull-based: nothing is kept, a slow rate slows the source.
final class PacedChunks: Sendable {
    typealias Chunks = AsyncThrowingStream<Data, any Error>

    private let source: Chunks
    private let timer: ElapsedTimer
    private let idle: Duration?
    private let rate: @Sendable () throws -> Int?
    /// When the next chunk may come.
    private let due = Protected(Duration.zero)

    private init(
        _ source: Chunks, _ timer: ElapsedTimer, _ idle: Duration?, _ rate: @escaping @Sendable () throws -> Int?
    ) {
        self.source = source
        self.timer = timer
        self.idle = idle
        self.rate = rate
    }

    /// - Parameter rate: the bytes a second, asked for at every chunk; nil for no limit. What it throws ends the stream.
    static func make(
        _ source: Chunks, timer: ElapsedTimer, idle: Duration?, rate: @escaping @Sendable () throws -> Int?
    ) -> Chunks {
        let paced = PacedChunks(source, timer, idle, rate)
        return Chunks(unfolding: { try await paced.next() })
    }

    private func next() async throws -> Data? {
        do {
            _ = try rate()
            // The iterators of a stream share its place.
            var iterator = source.makeAsyncIterator()
            guard let chunk = try await iterator.next() else {
                try Task.checkCancellation()
                return nil
            }
            if let rate = try rate() {
                let time = Duration.seconds(Double(chunk.count) / Double(max(1, rate)))
                let moment = due.withLock { due in
                    due = max(due, timer.elapsed) + time
                    return due
                }
                try await timer.wait(until: moment, idle: idle)
            }
            _ = try rate()
            return chunk
        } catch {
            throw HTTPError(error)
        }
    }
}
