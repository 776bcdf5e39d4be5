/// How a case ended.
enum Verdict: Sendable, Equatable {
    case passed
    case failed(String)
    /// The case could not be set up.
    case notSetUp(String)
    /// A case it depends on did not pass.
    case dependency(String)
}

/// A check that did not hold.
struct Unmet: Error {
    let reason: String
    let isSetup: Bool

    var verdict: Verdict { isSetup ? .notSetUp(reason) : .failed(reason) }
}
