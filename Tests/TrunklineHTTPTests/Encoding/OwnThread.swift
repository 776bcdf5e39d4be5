import Foundation

/// Long computations of tests, away from the few threads that all asynchronous tests of the process share.
enum OwnThread {
    static func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            let thread = Thread { continuation.resume(with: Swift.Result { try work() }) }
            thread.stackSize = 8 << 20
            thread.start()
        }
    }
}
