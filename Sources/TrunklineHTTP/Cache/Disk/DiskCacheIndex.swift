import Foundation

/// What a disk store knows of its directory: the size of every entry file and the order they were last used in.
///
/// Built by reading the directory, kept up by the store's own writes, and built again from time to time because other
/// processes may write to the same directory.
struct DiskCacheIndex: Sendable {
    /// A file by the names of its directory and itself.
    struct Name: Hashable, Sendable {
        var partition: String
        var file: String

        /// The path below the cache's directory.
        var path: String { partition + "/" + file }
    }

    private struct Found {
        var name: Name
        var size: Int
        var lastUse: Double
    }

    private struct File: Sendable {
        var size: Int
        var lastUse: Double
    }

    private var table = LRUTable<Name, File>()

    /// Whether a rebuild met files this process had not written: another process shares the directory.
    private(set) var isShared = false
    /// Bytes and files written since the directory was last read.
    private(set) var unverified = (bytes: 0, files: 0)

    /// Files of killed writers that were removed when the directory was read.
    private(set) var leftovers = 0

    /// How young an unfinished file nobody has locked may be: its writer may be about to.
    private static let lockingTime = 2.0

    /// Bytes of others' unfinished files when the directory was last read: they take room too.
    private var unfinished: Int64 = 0

    /// Bytes of all files of the cache.
    var bytes: Int { Int(clamping: Int64(table.cost) + unfinished) }
    var entries: Int { table.count }
    var oldest: Name? { table.oldestKey }

    /// Reads the directory below `root`. Temporary files nobody has locked are what a killed writer left behind, and are
    /// removed; where there are no locks, those last written before `leftoverLimit` (seconds since 1970). Those whose names
    /// begin with `own` are the caller's, and not looked at. Files with other names than the cache gives are not touched.
    /// A time of last use that is still to come was set before the clock was put back, and counts as `now`.
    init(root: String, now: Double, leftoverLimit: Double, own: String, previous: DiskCacheIndex? = nil) {
        var found: [Found] = []
        for partition in FileSystem.names(in: root) where DiskCacheIndex.isHash(partition) {
            for file in FileSystem.names(in: root + "/" + partition) {
                if file.hasPrefix(own) { continue }
                let name = Name(partition: partition, file: file)
                let path = root + "/" + name.path
                guard let facts = try? FileSystem.facts(at: path), !facts.isDirectory else { continue }
                if DiskCacheIndex.isTemporary(file) {
                    if DiskCacheIndex.isLeftover(path, facts, now: now, leftoverLimit: leftoverLimit),
                        (try? FileSystem.delete(path)) != nil
                    {
                        leftovers += 1
                        continue
                    }
                    unfinished += min(facts.size, 1 << 40)
                } else if DiskCacheIndex.isHash(file) {
                    let known = previous?.table.peek(name)?.lastUse
                    // A sparse file may claim any size; the bound keeps the sum from overflowing.
                    let size = Int(clamping: min(facts.size, 1 << 40))
                    found.append(Found(name: name, size: size, lastUse: max(min(facts.modified, now), known ?? 0)))
                }
            }
        }
        found.sort { ($0.lastUse, $0.name.file) < ($1.lastUse, $1.name.file) }
        for item in found {
            table.insert(File(size: item.size, lastUse: item.lastUse), for: item.name, cost: item.size)
        }
        if let previous {
            isShared = previous.isShared || found.contains { previous.table.peek($0.name) == nil }
        }
    }

    /// The files.
    var names: [Name] { Array(table.keys) }

    func size(of name: Name) -> Int? { table.peek(name)?.size }
    func lastUse(of name: Name) -> Double? { table.peek(name)?.lastUse }

    private static func isLeftover(
        _ path: String, _ facts: FileSystem.Facts, now: Double, leftoverLimit: Double
    ) -> Bool {
        guard abs(now - facts.modified) > lockingTime else { return false }
        guard facts.isRegular, let file = try? FileSystem.openForReading(path) else {
            return facts.modified < leftoverLimit
        }
        switch FileSystem.lock(file) {
        case .locked: return true
        case .isHeld: return false
        case .unsupported: return facts.modified < leftoverLimit
        }
    }

    /// Notes a file that was written.
    mutating func insert(_ name: Name, size: Int, at time: Double) {
        table.insert(File(size: size, lastUse: time), for: name, cost: size)
        unverified.bytes += size
        unverified.files += 1
    }

    /// Notes a file that was read.
    mutating func use(_ name: Name, at time: Double) {
        guard let file = table.use(name), time - file.lastUse > 1 else { return }
        table.insert(File(size: file.size, lastUse: time), for: name, cost: file.size)
    }

    /// Forgets a file.
    mutating func remove(_ name: Name) { table.remove(name) }

    /// Forgets a directory.
    mutating func removeAll(in partition: String) {
        for name in Array(table.keys) where name.partition == partition { table.remove(name) }
    }

    /// Whether the name is one the cache gives to entries and partitions: 64 hexadecimal digits.
    static func isHash(_ name: String) -> Bool {
        name.utf8.count == 64 && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// Whether the name is one the cache gives to files that are being written.
    static func isTemporary(_ name: String) -> Bool { name.hasPrefix(temporaryPrefix) }

    static let temporaryPrefix = "tmp-"
}
