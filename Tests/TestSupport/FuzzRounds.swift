import Foundation

/// How much random tests try: a twentieth of their full number, or the part of it that the environment's
/// `TRUNKLINE_FULL_FUZZ` says: `1` for all of it, which takes about five minutes on two cores; `0.3`, which `.ci/run` takes;
/// `5` makes 100,000 random trees an encoder.
///
/// The names of the test functions that ask here end in `Fuzz`, so that `swift test --filter Fuzz` runs them alone.
package enum FuzzRounds {
    /// Whether the full number is asked for.
    package static var isFull: Bool { factor >= 1 }

    private static let factor = max(
        0.05, min(1000, ProcessInfo.processInfo.environment["TRUNKLINE_FULL_FUZZ"].flatMap(Double.init) ?? 0))

    /// The rounds to make, at least one.
    package static func count(full: Int) -> Int { max(1, Int(Double(full) * factor)) }

    /// The distance between the elements of a table to try: 1 in full. Odd, so that every bit of a byte has its turn.
    package static var stride: Int { isFull ? 1 : 21 }
}
