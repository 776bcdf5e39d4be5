import Foundation

/// Where partial downloads and the state of uploads are kept.
struct TransferDirectory: Sendable {
    let root: URL

    /// - Parameter url: the configuration's directory; nil for the one in the user's caches.
    init(_ url: URL?) {
        root =
            url
            ?? (FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
            ?? FileManager.default.temporaryDirectory)
            .appendingPathComponent("trunkline-transfers", isDirectory: true)
    }

    /// The files of the partial download of this name.
    func download(_ key: String) -> PartialDownload.Location {
        let name = SHA256Digest.hex(of: Array(key.utf8))
        return PartialDownload.Location(
            content: file("downloads/\(name).part"), state: file("downloads/\(name).state"))
    }

    /// A file for one download only; in the temporary directory, where this one can't be used.
    func openUnkeptDownload() throws(HTTPError) -> PartialDownload {
        let places = [root.appendingPathComponent("downloads"), FileManager.default.temporaryDirectory]
        var failure = FileFailure(url: root, operation: .write, reason: "it can't be locked")
        for place in places {
            let content = place.appendingPathComponent("\(UUID().uuidString).once", isDirectory: false)
            do {
                let location = PartialDownload.Location(content: content, state: nil)
                if let own = try PartialDownload.open(location) { return own }
            } catch HTTPError.file(let reason) {
                failure = reason
            }
        }
        throw .file(failure)
    }

    /// A file for a download that is complete and has no place yet.
    var completeDownload: URL { file("downloads/\(UUID().uuidString).once") }

    /// The state of the upload of this name.
    func upload(_ key: String) -> URL {
        file("uploads/\(SHA256Digest.hex(of: Array(key.utf8))).state")
    }

    /// Removes what has not changed for so long and nobody uses.
    func removeStale(olderThan age: Duration, now: Date = Date()) {
        for folder in ["downloads", "uploads"] {
            let directory = file(folder)
            for name in FileSystem.names(in: directory.path) {
                let path = directory.appendingPathComponent(name).path
                guard let facts = try? FileSystem.facts(at: path), facts.isRegular,
                    now.timeIntervalSince1970 - facts.modified >= age.seconds
                else { continue }
                remove(path)
            }
        }
    }

    /// A partial content goes under its lock, with its state; a state goes alone where its content is gone.
    private func remove(_ path: String) {
        let stem = (path as NSString).deletingPathExtension
        switch (path as NSString).pathExtension {
        case "part", "once":
            let state = path.hasSuffix(".part") ? URL(fileURLWithPath: stem + ".state") : nil
            let location = PartialDownload.Location(content: URL(fileURLWithPath: path), state: state)
            if let partial = try? PartialDownload.open(location) { partial.discard() }
        case "state" where FileManager.default.fileExists(atPath: stem + ".part"): break
        default: try? FileSystem.delete(path)
        }
    }

    private func file(_ path: String) -> URL { root.appendingPathComponent(path, isDirectory: false) }
}
