/// A step of a chain that failed; the steps after it were not run.
public struct ChainFailure: Error, Sendable, CustomStringConvertible {
    /// The step's number, from 0.
    public let step: Int
    /// The step's name, where it has one.
    public let name: String?
    /// What it threw; ``GroupError/cancelled`` when the chain was cancelled.
    public let underlying: any Error

    /// Which step failed, and why.
    public var description: String {
        "Step \(step + 1)\(name.map { " (\($0))" } ?? "") of the chain failed: \(underlying)"
    }
}
