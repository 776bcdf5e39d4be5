import CTrunklineCurl

/// A pointer to a C transfer, to be passed between threads.
///
/// `@unchecked Sendable`: one owner at a time uses it: the pool, the task that prepares or reads it, or the loop's
/// thread between its start and its end. Each hand-over goes through a lock or a continuation.
struct CurlHandle: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<tlc_transfer>
}
