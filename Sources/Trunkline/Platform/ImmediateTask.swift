/// Tasks that begin within the call that makes them.
@MainActor
enum ImmediateTask {
    /// Starts a task on the main actor: at once, up to the first time it waits, where the system can (Linux, and Apple's from
    /// version 26 on); otherwise at the main actor's next turn.
    static func start(_ work: @escaping @MainActor () async -> Void) -> Task<Void, Never> {
        #if compiler(>=6.2)
            if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
                return Task.immediate { await work() }
            }
        #endif
        return Task { await work() }
    }
}
