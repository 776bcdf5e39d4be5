import Foundation

/// A gate that holds answers until it is opened: by ``open()``, or by itself when enough have arrived.
///
/// ```swift
/// let gate = LoopbackGate(opensAt: 10)  // holds ten requests until the tenth is there
/// server.route(.get, "/feed", respond: .status(401).held(by: gate))
/// ```
///
/// A gate is safe to use from any thread, and by several servers at once.
public final class LoopbackGate: Sendable {
    private struct State {
        var isOpen = false
        var arrivals = 0
        var nextID = 0
        var waiters: [Int: @Sendable (Bool) -> Void] = [:]
    }

    private let state = Protected(State())
    private let threshold: Int?

    /// Makes a closed gate that opens by itself when `count` have arrived, or only by ``open()`` when nil.
    public init(opensAt count: Int? = nil) {
        threshold = count
    }

    /// Whether the gate lets everybody pass.
    public var isOpen: Bool { state.withLock { $0.isOpen } }

    /// How many have come to the gate since it was made or closed, those that passed included.
    public var arrivals: Int { state.withLock { $0.arrivals } }

    /// How many are held now.
    public var waiting: Int { state.withLock { $0.waiters.count } }

    /// Lets everybody pass that is held, and all that come until ``close()``.
    public func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [:] }
            return state.waiters
        }
        for id in waiters.keys.sorted() { waiters[id]?(true) }
    }

    /// Closes the gate for those who come from now on, and counts arrivals from zero.
    public func close() {
        state.withLock { state in
            state.isOpen = false
            state.arrivals = 0
        }
    }

    /// Comes to the gate and waits until it opens.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first, as it is when the client or the server goes away.
    public func wait() async throws {
        let ticket = Protected<Int?>(nil)
        let passed = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let id = arrive { continuation.resume(returning: $0) }
                ticket.withLock { $0 = id }
                // A cancellation before the ticket was known found nothing to take out.
                if Task.isCancelled, let id { leave(id) }
            }
        } onCancel: {
            if let id = ticket.current { leave(id) }
        }
        if !passed { throw CancellationError() }
    }

    /// Counts an arrival and calls `pass` once: with true when the gate is or gets open, with false after `leave`.
    /// Nil when it was called at once.
    func arrive(_ pass: @escaping @Sendable (Bool) -> Void) -> Int? {
        let (id, opens) = state.withLock { state -> (Int?, Bool) in
            state.arrivals += 1
            if state.isOpen { return (nil, false) }
            if let threshold, state.arrivals >= threshold { return (nil, true) }
            state.nextID += 1
            state.waiters[state.nextID] = pass
            return (state.nextID, false)
        }
        if id == nil {
            if opens { open() }
            pass(true)
        }
        return id
    }

    /// Takes a waiter out of the gate.
    func leave(_ id: Int) {
        state.withLock { $0.waiters.removeValue(forKey: id) }?(false)
    }
}
