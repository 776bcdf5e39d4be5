import Foundation

/// An expectation that does not hold. Thrown out of a test function, it fails the test with its text in Swift Testing and
/// in XCTest alike: nothing of either is linked here.
public struct TestFailure: Error, Sendable, CustomStringConvertible, LocalizedError {
    /// What was expected, what was found, and where.
    public let description: String

    /// The same as ``description``.
    public var errorDescription: String? { description }

    /// Makes a failure.
    ///
    /// - Parameters:
    ///   - text: what was expected and what was found.
    ///   - fileID: the file of the expectation, by default the caller's.
    ///   - line: its line.
    public init(_ text: String, fileID: String = #fileID, line: Int = #line) {
        description = "\(fileID):\(line): \(text)"
    }
}
