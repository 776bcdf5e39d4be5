import Foundation

/// The identity of one logical request: the library's own, unique in the process across sessions, and kept through
/// redirects, retries and token replays.
public struct RequestID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The number behind the identity: 1 for the first request of the process, then counting up.
    public let value: UInt64

    private static let counter = Protected<UInt64>(0)

    /// Takes the next identity.
    public static func next() -> RequestID {
        RequestID(
            value: counter.withLock { last in
                last += 1
                return last
            })
    }

    /// Earlier identities come first.
    public static func < (lhs: RequestID, rhs: RequestID) -> Bool { lhs.value < rhs.value }

    /// `#` and the number.
    public var description: String { "#\(value)" }
}
