/// Makes what transports report about the sent content into progress of the upload: within an attempt it never falls and
/// never goes beyond the whole; each attempt begins at what the server has.
final class UploadMeter: Sendable {
    typealias Listener = @Sendable (TransferProgress) -> Void

    private struct State: Sendable {
        var base: Int64 = 0
        var limit: Int64?
        var total: Int64?
        var latest: Int64 = 0
        /// Counts attempts, so that a late report of one that has ended is told from the current one's.
        var attempt = 0
    }

    private let state = Protected(State())

    /// Begins an attempt.
    ///
    /// - Parameters:
    ///   - base: the bytes the server has already.
    ///   - count: the bytes of this attempt's body, where it is known.
    ///   - total: the bytes in all, where it is known.
    ///   - listener: hears the progress of the upload. It is called with a lock held, so that values come in order; it must
    ///     not come back here.
    /// - Returns: takes what the transport reports about this attempt.
    func begin(at base: Int64 = 0, count: Int64?, total: Int64?, for listener: Listener?) -> Listener? {
        guard let listener else { return nil }
        let attempt = state.withLock { state in
            let limit = count.map { base + $0 }
            state = State(base: base, limit: limit, total: total, latest: base, attempt: state.attempt + 1)
            listener(TransferProgress(completed: base, total: total))
            return state.attempt
        }
        return { [weak self] in self?.report($0.completed, of: attempt, to: listener) }
    }

    private func report(_ sent: Int64, of attempt: Int, to listener: Listener) {
        state.withLock { state in
            guard state.attempt == attempt else { return }
            let (sum, isTooMuch) = state.base.addingReportingOverflow(max(0, sent))
            let completed = min(isTooMuch ? .max : sum, state.limit ?? .max)
            guard completed > state.latest else { return }
            state.latest = completed
            listener(TransferProgress(completed: completed, total: state.total))
        }
    }

    /// The server has all of it.
    func complete(for listener: Listener?) {
        state.withLock { state in
            state.attempt += 1
            let total = state.total ?? state.latest
            listener?(TransferProgress(completed: total, total: total))
        }
    }
}
