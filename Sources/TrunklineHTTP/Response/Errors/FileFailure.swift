import Foundation

/// A file that could not be read or written.
public struct FileFailure: Hashable, Sendable, CustomStringConvertible {
    /// What was tried.
    public enum Operation: String, Hashable, Sendable {
        /// Reading the file or its facts.
        case read
        /// Creating or writing the file.
        case write
        /// Moving the file to its place.
        case move
    }

    /// The file.
    public var url: URL
    /// What was tried.
    public var operation: Operation
    /// What the system said.
    public var reason: String

    /// Makes the description of a failure.
    public init(url: URL, operation: Operation, reason: String) {
        self.url = url
        self.operation = operation
        self.reason = reason
    }

    /// What was tried, on which file, and what the system said.
    public var description: String { "The file \(url.path) can't be used (\(operation.rawValue)): \(reason)." }
}
