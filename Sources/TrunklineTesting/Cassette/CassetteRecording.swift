import Foundation
import TrunklineHTTP

/// One exchange that is being recorded.
final class CassetteRecording: Sendable {
    private struct State {
        var firstByte: Duration?
        var content = Data()
        var isDone = false
    }

    private let store: CassetteStore
    private let writer: CassetteWriter
    private let request: HARRequest
    private let exchange: Exchange
    private let timer: ElapsedTimer
    private let began: Date
    private let slot: Int
    private let state = Protected(State())

    init(
        store: CassetteStore, writer: CassetteWriter, request: HARRequest, exchange: Exchange, timer: ElapsedTimer,
        began: Date
    ) {
        self.store = store
        self.writer = writer
        self.request = request
        self.exchange = exchange
        self.timer = timer
        self.began = began
        slot = store.reserve()
    }

    /// Records a response, a streamed one when its end has been read.
    func take(_ response: HTTPResponse) throws -> HTTPResponse {
        switch response.body {
        case .data(let data): try put(writer.response(response, body: data), firstByte: response.metrics?.firstByte)
        case .file(let url):
            try put(writer.response(response, body: try read(url)), firstByte: response.metrics?.firstByte)
        case .stream(let chunks):
            state.withLock { $0.firstByte = timer.elapsed }
            var streamed = response
            streamed.body = .stream(ResponseBody.Chunks(unfolding: { try await self.next(of: chunks, response) }))
            return streamed
        }
        return response
    }

    /// Records a failure.
    func fail(_ error: HTTPError) throws {
        guard let response = writer.failure(error, of: exchange.request) else { return }
        try put(response, firstByte: nil)
    }

    private func next(of chunks: ResponseBody.Chunks, _ head: HTTPResponse) async throws -> Data? {
        let chunk: Data?
        do {
            // The iterators of a stream share its place.
            var iterator = chunks.makeAsyncIterator()
            chunk = try await iterator.next()
            try Task.checkCancellation()
        } catch {
            var failure = HTTPError(error)
            if case .connectionLost(var loss) = failure {
                var partial = head
                partial.body = .data(state.withLock { $0.content })
                loss.response = partial
                failure = .connectionLost(loss)
            }
            if finish() { try fail(failure) }
            throw error
        }
        if let chunk {
            state.withLock { $0.content.append(chunk) }
            return chunk
        }
        if finish() {
            let (content, firstByte) = state.withLock { ($0.content, $0.firstByte) }
            var whole = head
            if let trailers = head.lateTrailers?.current { whole.trailers = trailers }
            try put(writer.response(whole, body: content), firstByte: firstByte)
        }
        return nil
    }

    /// False when the end was reached before.
    private func finish() -> Bool {
        state.withLock { state in
            defer { state.isDone = true }
            return !state.isDone
        }
    }

    private func read(_ url: URL) throws -> Data {
        do {
            return try Data(contentsOf: url)
        } catch {
            throw HTTPError.file(FileFailure(url: url, operation: .read, reason: error.localizedDescription))
        }
    }

    private func put(_ response: HARResponse, firstByte: Duration?) throws {
        let total = timer.elapsed
        let wait = min(firstByte ?? total, total)
        let timings = HARTimings(
            wait: CassetteRecording.milliseconds(wait), receive: CassetteRecording.milliseconds(total - wait))
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        try store.put(
            HAREntry(
                startedDateTime: began.formatted(style), time: timings.total, request: request, response: response,
                timings: timings, requestID: exchange.id.value, attempt: exchange.attempt),
            at: slot)
    }

    private static func milliseconds(_ duration: Duration) -> Double {
        (duration.seconds * 1_000_000).rounded() / 1000
    }
}
