/// What a ``WebSocket`` and its work share.
final class WebSocketCore: Sendable {
    /// An open socket.
    struct Opened: Sendable {
        var link: any WebSocketLink
        var response: HTTPResponse
        var subprotocol: String?
    }

    let opened = LatePromise<Opened>()
    let end = LatePromise<WebSocketClosure>()
    private let closure = Protected<WebSocketClosure?>(nil)

    var link: (any WebSocketLink)? {
        if case .success(let opened) = opened.outcome { opened.link } else { nil }
    }

    /// Shakes hands and stays until the socket has ended.
    func run(_ exchange: Exchange, through pipeline: Next, opening: WebSocketOpening) async throws -> HTTPResponse {
        let response = try await pipeline(exchange)
        guard response.statusCode == 101, let answer = opening.takeAnswer(), let link = answer.link else {
            throw HTTPError.validation(
                ValidationFailure(reason: .unacceptableStatus(response.statusCode), response: response))
        }
        opened.settle(.success(Opened(link: link, response: response, subprotocol: answer.subprotocol)))
        let end = await withTaskCancellationHandler {
            await link.waitForEnd()
        } onCancel: {
            link.abort(.cancelled)
        }
        closure.withLock { $0 = try? end.get() }
        _ = try end.get()
        return response
    }

    /// Settles what is open with the outcome of the request.
    func finish(_ outcome: DataRequest.Outcome) {
        switch outcome {
        case .success:
            end.settle(.success(closure.current ?? WebSocketClosure(code: nil)))
        case .failure(let error):
            opened.settle(.failure(error))
            end.settle(.failure(error))
        }
    }

    /// The next message; nil after a close. What ended the socket is told by the request, which knows of the session too.
    func receive() async throws -> WebSocketMessage? {
        let link = try await opened.wait().get().link
        do {
            if let message = try await link.receive() { return message }
        } catch {
            if Task.isCancelled || !hasEnded(error) { throw error }
        }
        _ = try await end.wait().get()
        return nil
    }

    /// Whether the error is that of the socket, and not of the call.
    private func hasEnded(_ error: any Error) -> Bool {
        if case .unsupported = HTTPError(error) { false } else { true }
    }
}
