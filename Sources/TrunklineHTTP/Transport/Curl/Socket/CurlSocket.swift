import CTrunklineCurl
import Foundation

/// One WebSocket of the libcurl transport, from the task that opens it to the end of its thread: what the two share.
final class CurlSocket: Sendable {
    typealias Waiter = CheckedContinuation<WebSocketAnswer, any Error>

    private enum Phase {
        case new
        case opening(Waiter)
        case open(SocketEngine)
        case over(HTTPError)
    }

    private let phase = Protected(Phase.new)
    private let waker: SocketWaker

    init() throws(HTTPError) { waker = try SocketWaker() }

    /// Wakes the thread; for the engine.
    var wake: @Sendable () -> Void { { [waker] in waker.wake() } }

    /// Whether the socket was ended while it was being opened.
    var failure: HTTPError? {
        phase.withLock { phase in
            if case .over(let error) = phase { error } else { nil }
        }
    }

    /// Takes the task that waits for the answer; false when the socket was ended already, and the task has heard it.
    func begin(_ waiter: Waiter) -> Bool {
        let error: HTTPError? = phase.withLock { phase in
            if case .over(let error) = phase { return error }
            phase = .opening(waiter)
            return nil
        }
        if let error { waiter.resume(throwing: error) }
        return error == nil
    }

    /// The server accepted. Returns whether there is still somebody to use the socket.
    func open(_ engine: SocketEngine, _ response: HTTPResponse, subprotocol: String?) -> Bool {
        let waiter = phase.withLock { phase -> Waiter? in
            guard case .opening(let waiter) = phase else { return nil }
            phase = .open(engine)
            return waiter
        }
        waiter?.resume(
            returning: WebSocketAnswer(
                response: response, link: CurlWebSocketLink(engine: engine), subprotocol: subprotocol))
        return waiter != nil
    }

    /// The server refused.
    func refuse(_ response: HTTPResponse) {
        let waiter = phase.withLock { phase -> Waiter? in
            guard case .opening(let waiter) = phase else { return nil }
            phase = .over(.cancelled)
            return waiter
        }
        waiter?.resume(returning: WebSocketAnswer(response: response))
    }

    /// Ends the socket wherever it is; without effect when it has ended.
    func end(_ error: HTTPError) {
        let before = phase.withLock { phase -> Phase in
            let before = phase
            if case .open = phase { return before }
            if case .over = phase { return before }
            phase = .over(error)
            return before
        }
        switch before {
        case .opening(let waiter):
            waiter.resume(throwing: error)
            waker.wake()
        case .open(let engine): engine.abort(error)
        case .new, .over: break
        }
    }

    /// Makes the loop that belongs to the socket's thread; NULL when there is no memory for it.
    func makeLoop(_ library: CurlLibrary) -> OpaquePointer? { waker.makeLoop(library) }
}
