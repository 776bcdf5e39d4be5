import Foundation

/// How much random tests try: a twentieth of their full number, or all of it where the environment has
/// `TRUNKLINE_FULL_FUZZ=1`.
///
/// The names of the test functions that ask here end in `Fuzz`, so that `swift test --filter Fuzz` runs them alone.
package enum FuzzRounds {
    /// Whether the full number is asked for.
    package static let isFull = ProcessInfo.processInfo.environment["TRUNKLINE_FULL_FUZZ"] == "1"

    /// The rounds to make, at least one.
    package static func count(full: Int) -> Int { isFull ? full : max(1, full / 20) }

    /// The distance between the elements of a table to try: 1 in full. Odd, so that every bit of a byte has its turn.
    package static var stride: Int { isFull ? 1 : 21 }
}
