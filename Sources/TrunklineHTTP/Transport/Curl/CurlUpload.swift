import Foundation

/// The request body on its way from its producer to the loop: at most `highWater` bytes and one chunk are kept.
///
/// The producer's task appends, the loop pulls. Of a body whose length was announced the last byte is held back until
/// the producer has ended, so that a body of another length never reaches the server as a whole request.
final class CurlUpload: Sendable {
    /// What a pull gave.
    enum Pulled {
        case bytes(Int)
        case wait
        case failed(HTTPError)
    }

    private struct State {
        var chunks: [Data] = []
        var first = 0
        /// Bytes of the first chunk that are gone.
        var offset = 0
        var buffered = 0
        var produced: Int64 = 0
        var pulled: Int64 = 0
        var hasEnded = false
        var isStopped = false
        var failure: HTTPError?
        var isLoopWaiting = false
        var producer: CheckedContinuation<Void, Never>?
        var task: Task<Void, Never>?
    }

    static let highWater = 256 * 1024
    private let length: Int64?
    private let state: Protected<State>

    /// A body in memory, complete.
    init(data: Data) {
        length = Int64(data.count)
        state = Protected(State(chunks: [data], buffered: data.count, produced: Int64(data.count), hasEnded: true))
    }

    /// A body of a stream; ``start(_:notify:)`` begins to read it.
    init(length: Int64?) {
        self.length = length
        state = Protected(State())
    }

    /// Reads the stream in a task of its own until ``stop()``. `notify` is called when there are bytes, or the end, for
    /// a loop that found none.
    func start(_ make: @escaping @Sendable () throws -> RequestBody.Chunks, notify: @escaping @Sendable () -> Void) {
        let task = Task {
            do {
                for try await chunk in try make() where !chunk.isEmpty {
                    try await append(chunk, notify: notify)
                }
                // A cancelled stream looks as if it had ended.
                if Task.isCancelled { throw CancellationError() }
                end(nil, notify: notify)
            } catch {
                end(HTTPError(error), notify: notify)
            }
        }
        let isLate = state.withLock { state in
            state.task = task
            return state.isStopped
        }
        if isLate { task.cancel() }
    }

    /// Ends the producer's task. Nothing is pulled after this.
    func stop() {
        let (task, producer) = state.withLock { state in
            defer { (state.task, state.producer) = (nil, nil) }
            state.isStopped = true
            return (state.task, state.producer)
        }
        task?.cancel()
        producer?.resume()
    }

    /// Copies what there is into libcurl's buffer; 0 bytes are the end.
    func pull(into buffer: UnsafeMutableRawBufferPointer) -> Pulled {
        let (result, producer) = state.withLock { state -> (Pulled, CheckedContinuation<Void, Never>?) in
            if let failure = state.failure { return (.failed(failure), nil) }
            let count = copy(&state, into: buffer)
            var producer: CheckedContinuation<Void, Never>?
            if state.buffered < CurlUpload.highWater { swap(&producer, &state.producer) }
            if count > 0 { return (.bytes(count), producer) }
            guard state.hasEnded else {
                state.isLoopWaiting = true
                return (.wait, producer)
            }
            if let length, state.pulled != length { return (.failed(mismatch(state.pulled)), producer) }
            return (.bytes(0), producer)
        }
        producer?.resume()
        return result
    }

    private func copy(_ state: inout State, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var room = min(buffer.count, state.buffered)
        if let length, !state.hasEnded, state.pulled + Int64(room) >= length {
            room = Int(max(0, length - state.pulled - 1))
            room = min(room, state.buffered, buffer.count)
        }
        var copied = 0
        while copied < room, state.first < state.chunks.count {
            let chunk = state.chunks[state.first]
            let count = min(room - copied, chunk.count - state.offset)
            let start = chunk.startIndex + state.offset
            chunk.copyBytes(
                to: UnsafeMutableRawBufferPointer(rebasing: buffer[copied..<(copied + count)]),
                from: start..<(start + count))
            copied += count
            state.offset += count
            if state.offset == chunk.count {
                state.chunks[state.first] = Data()
                state.first += 1
                state.offset = 0
            }
        }
        if state.first == state.chunks.count {
            state.chunks.removeAll(keepingCapacity: true)
            state.first = 0
        }
        state.buffered -= copied
        state.pulled += Int64(copied)
        return copied
    }

    private func append(_ chunk: Data, notify: @Sendable () -> Void) async throws {
        let (isWaiting, isFull) = try state.withLock { state throws(HTTPError) in
            if state.isStopped { throw .cancelled }
            let (produced, overflow) = state.produced.addingReportingOverflow(Int64(chunk.count))
            if overflow { throw .invalidRequest(.body(reason: "the stream is too long")) }
            state.produced = produced
            if let length, produced > length { throw mismatch(produced, isPartial: true) }
            state.chunks.append(chunk)
            state.buffered += chunk.count
            defer { state.isLoopWaiting = false }
            return (state.isLoopWaiting, state.buffered >= CurlUpload.highWater)
        }
        if isWaiting { notify() }
        if isFull { await room() }
    }

    /// Waits until the loop has taken some, or the transfer has ended.
    private func room() async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.isStopped || state.buffered < CurlUpload.highWater { return true }
                state.producer = continuation
                return false
            }
            if isReady { continuation.resume() }
        }
    }

    private func end(_ failure: HTTPError?, notify: @Sendable () -> Void) {
        let isWaiting = state.withLock { state in
            state.hasEnded = true
            state.failure = failure
            state.task = nil
            defer { state.isLoopWaiting = false }
            return state.isLoopWaiting && !state.isStopped
        }
        if isWaiting { notify() }
    }

    private func mismatch(_ count: Int64, isPartial: Bool = false) -> HTTPError {
        let given = isPartial ? "at least \(count)" : "\(count)"
        return .invalidRequest(
            .body(reason: "\(length ?? 0) bytes were announced and the stream gave \(given)"))
    }
}
