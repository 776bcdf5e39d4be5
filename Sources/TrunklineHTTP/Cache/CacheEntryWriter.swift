import Foundation

/// An entry of a store whose content comes in pieces. Nothing of it is visible before ``commit(_:if:)``; releasing the
/// writer without that removes what was written. Calls must not overlap.
public protocol CacheEntryWriter: Sendable {
    /// Adds content, and returns when the store has taken it.
    ///
    /// - Returns: false when the entry can't be kept, too large or for a failure of the medium; what was written is gone
    ///   then, and nothing more is taken.
    func append(_ data: Data) async -> Bool

    /// Makes the entry visible, in the place of an older one. When that can't be done, the older one is removed.
    ///
    /// - Parameters:
    ///   - head: the entry; its body is of no account. It may differ from the one the writing began with, by up to a
    ///     thousand bytes.
    ///   - isCurrent: as in ``CacheStore/store(_:for:if:)``.
    func commit(_ head: CachedResponse, if isCurrent: @escaping @Sendable () -> Bool) async -> CacheStoreOutcome

    /// Removes what was written.
    func discard() async
}
