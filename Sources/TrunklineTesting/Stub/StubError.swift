import Foundation
import TrunklineHTTP

/// What is wrong with a test's stubs or fixtures. A request fails with it as `HTTPError.custom(_:)`.
public enum StubError: Error, Sendable {
    /// No stub answers the request.
    case unmatched(UnmatchedRequest)
    /// The stub's list of answers is used up, and it was told to fail then (``Stub/End/fails``).
    case usedUp(stub: String, count: Int)
    /// A fixture that can't be read: its name, and why.
    case fixture(name: String, reason: String)
    /// An answer that can't be made.
    case answer(reason: String)
}

extension StubError: CustomStringConvertible, LocalizedError {
    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .unmatched(let request): request.description
        case .usedUp(let stub, let count):
            "The stub for \(stub) has given its \(count) answer\(count == 1 ? "" : "s"), and fails after that."
        case .fixture(let name, let reason): "The fixture \"\(name)\" can't be used: \(reason)."
        case .answer(let reason): "The stub's answer can't be made: \(reason)."
        }
    }

    /// The same text as ``description``.
    public var errorDescription: String? { description }
}

extension HTTPError {
    /// The mistake of the stubs behind this error, where there is one.
    public var stubError: StubError? {
        if case .custom(let error) = self { error as? StubError } else { nil }
    }
}
