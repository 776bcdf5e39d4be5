import Foundation

/// The kept state of an upload, held by one upload at a time.
final class UploadStateFile: Sendable {
    private let url: URL
    private let lock: LockedFile

    private init(url: URL, lock: LockedFile) {
        self.url = url
        self.lock = lock
    }

    private static func lockPath(_ url: URL) -> String { url.path + ".lock" }

    /// Takes it; nil when another upload has it, or it can't be kept there. One that was cancelled is waited for, as it gives it back in a moment.
    static func open(_ url: URL) async throws -> UploadStateFile? {
        guard (try? FileSystem.makeDirectory(url.deletingLastPathComponent().path)) != nil else { return nil }
        let deadline = ContinuousClock.now + .seconds(2)
        while true {
            guard let lock = try? LockedFile.locking(lockPath(url)) as LockedFile?? else { return nil }
            if let lock { return UploadStateFile(url: url, lock: lock) }
            guard ContinuousClock.now < deadline else { return nil }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    func load() -> UploadState? { (try? Data(contentsOf: url)).flatMap { UploadState(bytes: Array($0)) } }

    /// A state that can't be written costs a resumption, not the upload.
    func save(_ state: UploadState?) {
        if let state {
            PrivateFile.write(Data(state.bytes), to: url)
        } else {
            try? FileSystem.delete(url.path)
        }
    }

    /// Lets others have it; the last call.
    func release() {
        try? FileSystem.delete(UploadStateFile.lockPath(url))
        lock.unlock()
    }
}
