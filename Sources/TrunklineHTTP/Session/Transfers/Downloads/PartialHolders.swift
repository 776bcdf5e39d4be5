/// The downloads of this process that hold a partial content: so that one which follows a cancelled one waits for its last
/// steps, and one beside a running one doesn't wait at all.
enum PartialHolders {
    private static let holders = Protected<[PartialDownload.Location: DownloadJob]>([:])

    static func enter(_ job: DownloadJob, for location: PartialDownload.Location) {
        holders.withLock { $0[location] = job }
    }

    static func leave(_ location: PartialDownload.Location) {
        // Released outside the lock.
        _ = holders.withLock { $0.removeValue(forKey: location) }
    }

    /// Whether its holder has ended, so that it will be free in a moment.
    static func isBeingLeft(_ location: PartialDownload.Location) -> Bool {
        holders.withLock { $0[location] }?.hasEnded ?? false
    }
}
