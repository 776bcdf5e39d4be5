/// Where the caller of a request and whoever works for it agree on pauses: closed by ``DataRequest/suspend()``, open
/// again with ``DataRequest/resume()``.
///
/// A transport that can hold a transfer observes the gate while it sends (``TransportCapabilities/Features/pausing``).
/// The pipeline itself asks before each send and after each answer, so that nothing is sent or delivered while the gate
/// is closed, whatever the transport can do.
public final class TransferGate: Sendable {
    private struct State {
        var isClosed = false
        var lastID = 0
        var observers: [Int: @Sendable () -> Void] = [:]
        var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
        var cancelled: Set<Int> = []

        mutating func nextID() -> Int {
            lastID += 1
            return lastID
        }
    }

    private let state = Protected(State())

    /// Makes an open gate.
    public init() {}

    /// Whether transfers are to hold.
    public var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Closes or opens the gate, tells the observers on the calling thread and, of an open gate, lets who waits go on.
    ///
    /// - Returns: whether that was a change.
    @discardableResult
    public func set(closed: Bool) -> Bool {
        typealias Parts = ([@Sendable () -> Void], [CheckedContinuation<Void, any Error>])
        let parts = state.withLock { state -> Parts? in
            guard state.isClosed != closed else { return nil }
            state.isClosed = closed
            guard !closed else { return (Array(state.observers.values), []) }
            defer { state.waiters = [:] }
            return (Array(state.observers.values), Array(state.waiters.values))
        }
        guard let (observers, waiters) = parts else { return false }
        for observer in observers { observer() }
        for waiter in waiters { waiter.resume() }
        return true
    }

    /// Calls `change` at each change, and once at the start if the gate is closed. Changes from several threads may arrive
    /// in any order: ask ``isClosed`` for how the gate is now.
    ///
    /// - Returns: a number for ``stopObserving(_:)``.
    public func observe(_ change: @escaping @Sendable () -> Void) -> Int {
        let (id, isClosed) = state.withLock { state in
            let id = state.nextID()
            state.observers[id] = change
            return (id, state.isClosed)
        }
        if isClosed { change() }
        return id
    }

    /// Ends an observation. A call that is under way may still arrive.
    public func stopObserving(_ id: Int) { _ = state.withLock { $0.observers.removeValue(forKey: id) } }

    /// Returns as soon as the gate is open.
    ///
    /// - Throws: `CancellationError`, at once, when the task is cancelled.
    public func waitUntilOpen() async throws {
        guard isClosed else { return }
        let id = state.withLock { $0.nextID() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { enter($0, id) }
        } onCancel: {
            leave(id)
        }
    }

    private func enter(_ waiter: CheckedContinuation<Void, any Error>, _ id: Int) {
        let outcome = state.withLock { state -> Result<Void, any Error>? in
            if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
            guard state.isClosed else { return .success(()) }
            state.waiters[id] = waiter
            return nil
        }
        if let outcome { waiter.resume(with: outcome) }
    }

    private func leave(_ id: Int) {
        let waiter = state.withLock { state in
            let waiter = state.waiters.removeValue(forKey: id)
            // Cancelled before it came to wait.
            if waiter == nil { state.cancelled.insert(id) }
            return waiter
        }
        waiter?.resume(throwing: CancellationError())
    }
}
