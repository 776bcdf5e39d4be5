import CTrunklineCurl
import Foundation

/// A response body on its way from the loop to its consumer. At most `highWater` bytes and one of libcurl's chunks are
/// kept; beyond that the transfer is paused, and the server with it.
final class CurlDownload: Sendable {
    private enum End {
        case finished
        case failed(HTTPError)
    }

    private struct State {
        var buffer = Data()
        var end: End?
        var isPaused = false
        var isCancelled = false
        var consumer: CheckedContinuation<Data?, any Error>?
    }

    static let highWater = 512 * 1024
    /// The trailer fields, there when the stream ends.
    let trailers = StreamTrailers()
    private let state = Protected(State())
    private let resume: @Sendable () -> Void
    private let abandon: @Sendable () -> Void

    /// - Parameters:
    ///   - resume: lets a paused transfer go on.
    ///   - abandon: ends the transfer.
    init(resume: @escaping @Sendable () -> Void, abandon: @escaping @Sendable () -> Void) {
        self.resume = resume
        self.abandon = abandon
    }

    /// The stream for the consumer. The transfer ends when the stream is let go, or the task that reads it is cancelled.
    func chunks() -> ResponseBody.Chunks {
        let lease = Lease(download: self)
        return ResponseBody.Chunks(unfolding: { try await lease.download.next() })
    }

    /// Takes bytes from the loop: their count, or TLC_WAIT, TLC_ABORT.
    func push(_ bytes: UnsafeRawBufferPointer) -> Int {
        enum Answer {
            case taken
            case wait
            case abort
            case give(CheckedContinuation<Data?, any Error>)
        }
        let answer = state.withLock { state -> Answer in
            if state.isCancelled { return .abort }
            if let consumer = state.consumer {
                state.consumer = nil
                return .give(consumer)
            }
            if state.buffer.count >= CurlDownload.highWater {
                state.isPaused = true
                return .wait
            }
            state.buffer.append(contentsOf: bytes)
            return .taken
        }
        switch answer {
        case .taken: return bytes.count
        case .wait: return Int(TLC_WAIT)
        case .abort: return Int(TLC_ABORT)
        case .give(let consumer):
            consumer.resume(returning: Data(bytes))
            return bytes.count
        }
    }

    /// Says that nothing more comes; `error` when the body is incomplete.
    func finish(_ error: HTTPError?) {
        let consumer = state.withLock { state -> CheckedContinuation<Data?, any Error>? in
            guard state.end == nil else { return nil }
            state.end = error.map { .failed($0) } ?? .finished
            defer { state.consumer = nil }
            return state.consumer
        }
        if let error { consumer?.resume(throwing: error) } else { consumer?.resume(returning: nil) }
    }

    /// Ends the stream and the transfer for the consumer's side.
    func cancel() {
        let (consumer, isOpen) = state.withLock { state in
            let isOpen = state.end == nil && !state.isCancelled
            state.isCancelled = true
            state.buffer = Data()
            defer { state.consumer = nil }
            return (state.consumer, isOpen)
        }
        if isOpen { abandon() }
        consumer?.resume(throwing: HTTPError.cancelled)
    }

    private func next() async throws -> Data? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                take(continuation)
            }
        } onCancel: {
            cancel()
        }
    }

    private func take(_ continuation: CheckedContinuation<Data?, any Error>) {
        enum Answer {
            case chunk(Data, resumes: Bool)
            case end(HTTPError?)
            case later
        }
        let answer = state.withLock { state -> Answer in
            if state.isCancelled { return .end(.cancelled) }
            if !state.buffer.isEmpty {
                defer { (state.buffer, state.isPaused) = (Data(), false) }
                return .chunk(state.buffer, resumes: state.isPaused)
            }
            switch state.end {
            case .finished: return .end(nil)
            case .failed(let error): return .end(error)
            case nil: break
            }
            if state.consumer != nil {
                return .end(.unsupported(feature: "A second consumer of a response stream", platform: "any platform"))
            }
            state.consumer = continuation
            return .later
        }
        switch answer {
        case .chunk(let data, let resumes):
            if resumes { resume() }
            continuation.resume(returning: data)
        case .end(let error?): continuation.resume(throwing: error)
        case .end(nil): continuation.resume(returning: nil)
        case .later: break
        }
    }

    /// Held by the stream alone: when it goes, nobody will read on.
    private final class Lease: Sendable {
        let download: CurlDownload
        init(download: CurlDownload) { self.download = download }
        deinit { download.cancel() }
    }
}
