extension Task where Success == Void, Failure == Never {
    /// A task that begins on the calling thread and stays there up to its first wait, where the toolchain has that (SE-0472);
    /// elsewhere, and on Apple platforms, whose systems of today need not have it, one that is enqueued like any other.
    ///
    /// For callers that run on the concurrent pool: the work holds their thread until then.
    static func beginningHere(_ operation: @escaping @Sendable () async -> Void) -> Task {
        #if compiler(>=6.2) && !canImport(Darwin)
            return Task.immediate { await operation() }
        #else
            return Task { await operation() }
        #endif
    }
}
