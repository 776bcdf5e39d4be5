/// Hears what happens to the requests of a session: set it in ``SessionConfiguration/eventMonitors``.
///
/// ```swift
/// struct FailureCounter: EventMonitor {
///     let count: @Sendable () -> Void
///
///     func receive(_ event: Event) {
///         if case .completed(.failure) = event.kind { count() }
///     }
/// }
/// ```
///
/// - The events of one request come one after the other, in the order of their ``Event/number``, never two at a time;
///   those of different requests come at the same time, on any thread.
/// - Every request begins with ``Event/Kind/created(_:)`` and ends with ``Event/Kind/completed(_:)``, each exactly once:
///   also one that was invalid, was cancelled before it was sent, or belongs to a session that is over. Nothing comes
///   after that. What had started and has not ended is told to have ended before it: attempts, stages and waits.
/// - ``Event/Kind/completed(_:)`` is told before the handlers of the request are called, unless a monitor is still busy
///   with an earlier event of the request on another thread, or the handler was added just as the request ended. A cancel
///   that comes between the outcome and its delivery is heard by the caller alone.
/// - Called on the thread where it happens: return at once, or the request waits. Calls into the library are allowed.
///   Every monitor hears every event, in the order of the configuration.
public protocol EventMonitor: Sendable {
    /// The costly events it wants to hear as well; by default none. Asked once, when the session is made.
    var details: EventDetails { get }

    /// Hears an event.
    func receive(_ event: Event)
}

extension EventMonitor {
    /// None.
    public var details: EventDetails { [] }
}
