import Foundation

/// How much random tests try: a twentieth of their full number, or all of it where the environment has
/// `TRUNKLINE_FULL_FUZZ=1`; a greater number there multiplies it (`5` makes 100,000 random trees an encoder).
///
/// The names of the test functions that ask here end in `Fuzz`, so that `swift test --filter Fuzz` runs them alone.
package enum FuzzRounds {
    /// Whether the full number is asked for.
    package static var isFull: Bool { factor > 0 }

    private static let factor = max(
        0, min(1000, ProcessInfo.processInfo.environment["TRUNKLINE_FULL_FUZZ"].flatMap(Int.init) ?? 0))

    /// The rounds to make, at least one.
    package static func count(full: Int) -> Int { isFull ? full * factor : max(1, full / 20) }

    /// The distance between the elements of a table to try: 1 in full. Odd, so that every bit of a byte has its turn.
    package static var stride: Int { isFull ? 1 : 21 }
}
