import Foundation

/// A value guarded by a lock: the only way to reach it is a closure that runs with the lock held.
///
/// The lock is the system's unfair lock on Apple platforms and a `pthread` mutex elsewhere. Closures must be short
/// and must not call out to code that may take the same lock again: it is not recursive.
///
/// This is the package's only lock, and (with the owners of C handles) its only `@unchecked Sendable`. The promise
/// holds because `Value` is `Sendable`, `value` is private, every access happens between `lock()` and `unlock()`, and the lock itself lives
/// at a stable heap address for as long as the object does.
package final class Protected<Value: Sendable>: @unchecked Sendable {
    #if canImport(Darwin)
        private let lock: UnsafeMutablePointer<os_unfair_lock_s>
    #else
        private let lock: UnsafeMutablePointer<pthread_mutex_t>
    #endif
    private var value: Value

    package init(_ value: Value) {
        self.value = value
        lock = .allocate(capacity: 1)
        #if canImport(Darwin)
            lock.initialize(to: os_unfair_lock_s())
        #else
            lock.initialize(to: pthread_mutex_t())
            pthread_mutex_init(lock, nil)
        #endif
    }

    deinit {
        #if !canImport(Darwin)
            pthread_mutex_destroy(lock)
        #endif
        lock.deinitialize(count: 1)
        lock.deallocate()
    }

    /// Runs `body` with exclusive access to the value and returns what it returns.
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        #if canImport(Darwin)
            os_unfair_lock_lock(lock)
            defer { os_unfair_lock_unlock(lock) }
        #else
            pthread_mutex_lock(lock)
            defer { pthread_mutex_unlock(lock) }
        #endif
        return try body(&value)
    }
}

extension Protected {
    /// A copy of the value as it is now.
    package var current: Value { withLock { $0 } }
}
