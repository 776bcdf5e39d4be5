import Foundation

/// What a store tells about an entry, to choose by which ones to remove.
public struct CacheEntryDescription: Hashable, Sendable {
    /// Whose entry it is.
    public var partition: CachePartition
    /// The method of the request that was answered.
    public var method: HTTPMethod
    /// The URL that was asked for.
    public var url: URL
    /// The status code of the answer.
    public var statusCode: Int
    /// When it was stored, by the wall clock.
    public var storedAt: Date
    /// The length of the content, in bytes.
    public var size: Int64

    /// Makes the description of an entry.
    public init(
        partition: CachePartition = .shared, method: HTTPMethod = .get, url: URL, statusCode: Int = 200, storedAt: Date,
        size: Int64 = 0
    ) {
        self.partition = partition
        self.method = method
        self.url = url
        self.statusCode = statusCode
        self.storedAt = storedAt
        self.size = size
    }

    init(_ entry: CachedResponse, in partition: CachePartition, size: Int64? = nil) {
        self.init(
            partition: partition, method: entry.requestMethod, url: entry.requestURL, statusCode: entry.statusCode,
            storedAt: entry.storedAt, size: size ?? entry.body.count)
    }
}
