import Foundation
import TrunklineHTTP

/// A response that is played back: the pieces of its content with their times, delivered as a request asked for it.
struct BodyPlayback: Sendable {
    /// Some of the content, and when it arrives: this long after the timer's start.
    struct Piece: Sendable {
        var data: Data
        var due: Duration
    }

    var pieces: [Piece]
    /// Why the connection is lost after the last piece; nil for content that is whole.
    var loss: String?
    var timer: ElapsedTimer

    /// Delivers the content.
    ///
    /// - Parameter head: the response without content.
    /// - Throws: `HTTPError`, or `CancellationError`.
    func deliver(_ head: HTTPResponse, for exchange: Exchange) async throws -> HTTPResponse {
        var response = head
        let total = BodyPlayback.announcedLength(of: head)
        let reader = PlaybackReader(self, head: head, exchange: exchange, total: total)
        switch exchange.request.options.delivery {
        case .stream:
            response.body = .stream(ResponseBody.Chunks(unfolding: { try await reader.next() }))
        case .data:
            var data = Data()
            while let piece = try await reader.next(keeping: data) { data.append(piece) }
            response.body = .data(data)
        case .file(let url):
            let sink = try FileSink(url)
            do {
                while let piece = try await reader.next() { try sink.write(piece) }
                try sink.close()
            } catch {
                sink.discard()
                throw error
            }
            response.body = .file(url)
        }
        return response
    }

    /// The length of the decoded content, where the head tells.
    static func announcedLength(of head: HTTPResponse) -> Int64? {
        guard !head.headers.contains("Content-Encoding") else { return nil }
        return head.headers["Content-Length"].flatMap { Int64($0) }
    }

    /// The content in pieces of this size, all there at once.
    static func pieces(of data: Data, size: Int? = nil, due: Duration = .zero) -> [Piece] {
        guard !data.isEmpty else { return [] }
        let size = max(1, size ?? data.count)
        return stride(from: 0, to: data.count, by: size).map { offset in
            let start = data.startIndex + offset
            return Piece(data: Data(data[start..<min(start + size, data.endIndex)]), due: due)
        }
    }
}

/// Gives the pieces one after the other, each at its time.
final class PlaybackReader: Sendable {
    private struct Position {
        var next = 0
        var received: Int64 = 0
        var isOver = false
    }

    private let playback: BodyPlayback
    private let head: HTTPResponse
    private let exchange: Exchange
    private let total: Int64?
    private let position = Protected(Position())

    init(_ playback: BodyPlayback, head: HTTPResponse, exchange: Exchange, total: Int64?) {
        self.playback = playback
        self.head = head
        self.exchange = exchange
        self.total = total
    }

    /// The next piece; nil after the last one.
    ///
    /// - Parameter arrived: what goes with the error when the connection is lost.
    func next(keeping arrived: Data = Data()) async throws -> Data? {
        do {
            return try await piece(arrived)
        } catch {
            position.withLock { $0.isOver = true }
            throw HTTPError(error)
        }
    }

    private func piece(_ arrived: Data) async throws -> Data? {
        let place = position.withLock { $0.isOver ? nil : $0.next }
        guard let place else { return nil }
        try Task.checkCancellation()
        guard place < playback.pieces.count else {
            position.withLock { $0.isOver = true }
            guard let loss = playback.loss else { return nil }
            var partial = head
            partial.body = .data(arrived)
            throw HTTPError.connectionLost(ConnectionLoss(stage: .duringBody, reason: loss, response: partial))
        }
        let piece = playback.pieces[place]
        try await playback.timer.wait(until: piece.due, idle: exchange.timeouts.idle)
        let received = position.withLock { position in
            position.next = place + 1
            position.received += Int64(piece.data.count)
            return position.received
        }
        exchange.progress?.received?(TransferProgress(completed: received, total: total))
        return piece.data
    }
}
