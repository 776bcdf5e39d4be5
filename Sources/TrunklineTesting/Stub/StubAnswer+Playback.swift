import Foundation
import TrunklineHTTP

extension StubAnswer {
    /// How many answers a handler may refer to one after the other.
    private static let referralLimit = 100

    /// Gives the answer to a request.
    func play(_ request: StubRequest, _ exchange: Exchange, clock: any Clock<Duration>) async throws -> HTTPResponse {
        let timer = ElapsedTimer(clock)
        var answer = self
        var moment = delay
        let idle = exchange.timeouts.idle
        for _ in 0..<StubAnswer.referralLimit {
            try await timer.wait(until: moment, idle: idle)
            switch answer.outcome {
            case .failure(let error): throw error(request)
            case .hang: try await timer.hang(idle: idle)
            case .handler(let handler):
                answer = try await handler(request)
                moment = timer.elapsed + answer.delay
            case .response: return try await answer.respond(exchange, timer, from: moment)
            }
        }
        throw StubError.answer(reason: "its handler gives another handler, and so on")
    }

    private func respond(_ exchange: Exchange, _ timer: ElapsedTimer, from start: Duration) async throws -> HTTPResponse
    {
        guard (100...599).contains(status) else {
            throw StubError.answer(reason: "\(status) is no status code")
        }
        let request = exchange.request
        var fields = headers
        let allowsContent = status >= 200 && status != 204 && status != 304
        let isChunked = chunkSize != nil || !chunkLengths.isEmpty
        if allowsContent, !isChunked, !fields.contains("Content-Encoding") {
            fields.setDefault("Content-Length", String(body.count))
        }
        let head = HTTPResponse(
            request: request, statusCode: status, headers: fields, trailers: trailers)
        var playback = BodyPlayback(pieces: [], timer: timer)
        if allowsContent, request.method != .head {
            playback.pieces = pieces(from: start)
            playback.loss = dropsAfter.map {
                "the stub dropped the connection after \(min($0, body.count)) of \(body.count) bytes"
            }
        }
        return try await playback.deliver(head, for: exchange)
    }

    /// The content in pieces, up to where the connection is dropped.
    private func pieces(from start: Duration) -> [BodyPlayback.Piece] {
        var pieces: [BodyPlayback.Piece] = []
        var offset = 0
        let end = min(body.count, dropsAfter ?? body.count)
        for (index, length) in lengths.enumerated() where length > 0 && offset < end {
            let first = body.startIndex + offset
            offset = min(end, offset + length)
            var due = start + chunkInterval * index
            if let bytesPerSecond { due = max(due, start + .seconds(Double(offset) / Double(bytesPerSecond))) }
            pieces.append(BodyPlayback.Piece(data: Data(body[first..<(body.startIndex + offset)]), due: due))
        }
        return pieces
    }

    private var lengths: [Int] {
        if !chunkLengths.isEmpty { return chunkLengths }
        guard !body.isEmpty else { return [] }
        // A tenth of a second's worth, so that progress is seen.
        let size = chunkSize ?? bytesPerSecond.map { min(16 * 1024, max(1, $0 / 10)) } ?? 64 * 1024
        return stride(from: 0, to: body.count, by: size).map { min(size, body.count - $0) }
    }
}
