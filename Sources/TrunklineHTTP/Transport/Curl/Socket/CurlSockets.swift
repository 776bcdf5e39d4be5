/// The WebSockets of one transport that have not ended.
final class CurlSockets: Sendable {
    private struct State: Sendable {
        var sockets: [ObjectIdentifier: CurlSocket] = [:]
        var isClosed = false
    }

    private let state = Protected(State())

    /// The number of sockets that have a thread.
    var count: Int { state.withLock { $0.sockets.count } }

    /// Takes the socket in; false when the transport is over.
    func insert(_ socket: CurlSocket) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.sockets[ObjectIdentifier(socket)] = socket
            return true
        }
    }

    func remove(_ socket: CurlSocket) {
        _ = state.withLock { $0.sockets.removeValue(forKey: ObjectIdentifier(socket)) }
    }

    /// Ends all of them, and refuses what comes later.
    func close() {
        let open = state.withLock { state in
            state.isClosed = true
            return Array(state.sockets.values)
        }
        for socket in open { socket.end(.sessionInvalidated) }
    }
}
