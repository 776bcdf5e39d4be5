import Foundation

/// Why a loopback server could not be started.
public struct LoopbackError: Error, Sendable, CustomStringConvertible, LocalizedError {
    /// What failed and why, in a sentence.
    public let description: String

    /// The same as ``description``.
    public var errorDescription: String? { description }

    init(_ description: String) { self.description = description }

    init(call: String, host: String, code: Int32) {
        description =
            "the loopback server could not start: \(call) for \(host) failed: \(String(cString: strerror(code)))"
    }
}
