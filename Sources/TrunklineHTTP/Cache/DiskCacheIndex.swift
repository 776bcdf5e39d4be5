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
    /// Bytes written since the directory was last read.
    private(set) var unverified = 0

    var bytes: Int { table.cost }
    var entries: Int { table.count }
    var oldest: Name? { table.oldestKey }

    /// Reads the directory below `root`. Temporary files last written before `leftoverLimit` (seconds since 1970) are
    /// what a killed writer left behind, and are removed. Files with other names than the cache gives are not touched.
    init(root: String, leftoverLimit: Double, previous: DiskCacheIndex? = nil) {
        var found: [Found] = []
        for partition in FileSystem.names(in: root) where DiskCacheIndex.isHash(partition) {
            for file in FileSystem.names(in: root + "/" + partition) {
                let name = Name(partition: partition, file: file)
                let path = root + "/" + name.path
                guard let facts = try? FileSystem.facts(at: path), !facts.isDirectory else { continue }
                if DiskCacheIndex.isTemporary(file) {
                    if facts.modified < leftoverLimit { try? FileSystem.delete(path) }
                } else if DiskCacheIndex.isHash(file) {
                    let known = previous?.table.peek(name)?.lastUse
                    let size = Int(clamping: facts.size)
                    found.append(Found(name: name, size: size, lastUse: max(facts.modified, known ?? 0)))
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

    /// Notes a file that was written.
    mutating func insert(_ name: Name, size: Int, at time: Double) {
        table.insert(File(size: size, lastUse: time), for: name, cost: size)
        unverified += size
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
