/// Something that happened inside a store, for logs. None of it has failed a request: each is a miss at most.
public enum CacheStoreEvent: Hashable, Sendable {
    /// An entry's file was damaged, or of another version, and was removed. The name is a digest and tells no URL.
    case damaged(file: String)
    /// An entry could not be unsealed: another key, or none at the moment. It was left where it is.
    case unsealable(file: String, reason: String)
    /// The sealer threw, or its sealed forms are of the wrong length; the answer was not stored.
    case sealingFailed(reason: String)
    /// A call of the system failed: the disk is full (`ENOSPC`), there is no permission. With the call's name, the value of
    /// `errno` and its words.
    case systemFailed(call: String, code: Int32, reason: String)
    /// Entries were removed to make room, or for their age.
    case evicted(entries: Int, bytes: Int64)
    /// Unfinished files of killed processes were removed.
    case leftoversRemoved(count: Int)
}
