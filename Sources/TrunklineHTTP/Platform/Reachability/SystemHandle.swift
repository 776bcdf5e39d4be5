/// Owner of a handle of the system whose type does not say that it may be used from any thread, though its documentation
/// does: a dispatch source, a path monitor.
///
/// `@unchecked Sendable` as for owners of C handles: the handle is set once, never changed, and all that is called on it
/// after it was set up is `cancel()`, on the queue it calls back on.
final class SystemHandle<Handle>: @unchecked Sendable {
    let handle: Handle

    init(_ handle: Handle) { self.handle = handle }
}
