import Foundation

/// What the producer and the consumer of a streamed response share.
final class StreamBody: Sendable {
    let head = LatePromise<HTTPResponse>()
    let channel = StreamChannel<Data>()
    private let lateTrailers = Protected<HTTPHeaders>([:])

    var trailers: HTTPHeaders { lateTrailers.withLock { $0 } }

    /// Takes a response from its head to its last byte: hands the head out, then the chunks as they are asked for and the
    /// gate is open.
    func deliver(_ response: HTTPResponse, gate: TransferGate?) async throws -> HTTPResponse {
        var head = response
        head.body = .data(Data())
        self.head.settle(.success(head))
        switch response.body {
        case .data(let data):
            try await deliver(data, gate)
        case .file:
            // Of a transport or interceptor that answers a stream with a file.
            try await deliver(try response.wholeContent(), gate)
        case .stream(let chunks):
            try await deliver(chunks, gate)
        }
        head.trailers = response.lateTrailers?.current ?? response.trailers
        lateTrailers.withLock { [trailers = head.trailers] in $0 = trailers }
        return head
    }

    /// Ends both sides with the outcome of the request.
    func finish(_ outcome: DataRequest.Outcome) {
        head.settle(outcome)
        channel.finish(outcome.map { _ in })
    }

    private func deliver(_ data: Data, _ gate: TransferGate?) async throws {
        if !data.isEmpty {
            try await channel.demand()
            try await gate?.waitUntilOpen()
            channel.give(data)
        }
        try await channel.demand()
    }

    private func deliver(_ chunks: ResponseBody.Chunks, _ gate: TransferGate?) async throws {
        var iterator = chunks.makeAsyncIterator()
        while true {
            try await channel.demand()
            var chunk = try await iterator.next()
            while chunk?.isEmpty == true { chunk = try await iterator.next() }
            guard let chunk else {
                // A cancelled stream looks as if it had ended.
                try Task.checkCancellation()
                return
            }
            try await gate?.waitUntilOpen()
            channel.give(chunk)
        }
    }
}
