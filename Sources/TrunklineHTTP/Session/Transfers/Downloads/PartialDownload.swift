import Foundation

/// The bytes of a download that is not complete, and what is known about them, held by one download at a time.
///
/// The order of the steps makes every state that a killed process can leave a good one:
/// - The state file is written, whole, before the first byte of the content, and removed before the content of another
///   representation takes its place. Bytes without a state are never used.
/// - Bytes are only ever added behind those that are there, so the file's length says how many are right, as long as the
///   system goes on running. For the case that the system itself crashes, the file is synced every 64 MiB, and the state
///   then says how far; after a restart of the system only that much is used.
final class PartialDownload: Sendable {
    /// Where the two files are; without a state file nothing outlives the download.
    struct Location: Hashable, Sendable {
        var content: URL
        var state: URL?
    }

    private struct State: Sendable {
        var known: DownloadState?
        var unsynced: Int64 = 0
        var isGone = false
    }

    private static let syncInterval: Int64 = 64 << 20

    let location: Location
    private let file: LockedFile
    private let state: Protected<State>

    private init(location: Location, file: LockedFile, known: DownloadState?) {
        self.location = location
        self.file = file
        state = Protected(State(known: known))
    }

    /// Opens what is there, or makes it; nil when another download has it.
    static func open(_ location: Location) throws(HTTPError) -> PartialDownload? {
        do {
            try FileSystem.makeDirectory(location.content.deletingLastPathComponent().path)
            guard let file = try LockedFile.locking(location.content.path, isOwn: location.state == nil) else {
                return nil
            }
            let bytes = location.state.flatMap { try? Data(contentsOf: $0) }
            return PartialDownload(
                location: location, file: file, known: bytes.flatMap { DownloadState(bytes: Array($0)) })
        } catch {
            throw failure(error, location.content)
        }
    }

    /// The bytes that are there and the state they belong to; nil when there is nothing to go on with.
    ///
    /// The last byte of a content that is complete already is left out: the server is asked for that one, so that it tells
    /// whether the rest is still right.
    func resumable() throws(HTTPError) -> (offset: Int64, state: DownloadState)? {
        guard let known = state.current.known else { return nil }
        var offset = known.trusted(of: try run { () throws(FileSystem.Failure) in try file.length() })
        if let total = known.total { offset = min(offset, total - 1) }
        return offset > 0 ? (offset, known) : nil
    }

    /// Forgets what is there and gets ready for a content from its first byte on.
    func begin(_ new: DownloadState?) throws(HTTPError) {
        forget()
        try run { () throws(FileSystem.Failure) in try file.truncate(to: 0) }
        guard let new, let url = location.state else { return }
        // A state that can't be written costs a resumption, not the download.
        if PrivateFile.write(Data(new.bytes), to: url) { state.withLock { $0.known = new } }
    }

    /// Cuts what is behind the offset, which can't be relied on.
    func goOn(at offset: Int64) throws(HTTPError) {
        try run { () throws(FileSystem.Failure) in try file.truncate(to: offset) }
        // From here on the file's length counts again, though the system was started anew.
        guard var known = state.current.known, known.boot != BootSession.id, let url = location.state else { return }
        known.boot = BootSession.id
        known.synced = min(known.synced, offset)
        if PrivateFile.write(Data(known.bytes), to: url) { state.withLock { $0.known = known } }
    }

    func write(_ data: Data, at offset: Int64) throws(HTTPError) {
        try run { () throws(FileSystem.Failure) in try file.write(data, at: offset) }
        let due = state.withLock { state -> DownloadState? in
            state.unsynced += Int64(data.count)
            guard state.unsynced >= PartialDownload.syncInterval, var known = state.known else { return nil }
            state.unsynced = 0
            known.synced = offset + Int64(data.count)
            known.boot = BootSession.id
            return known
        }
        guard let due, let url = location.state else { return }
        try run { () throws(FileSystem.Failure) in try file.sync() }
        if PrivateFile.write(Data(due.bytes), to: url) { state.withLock { $0.known = due } }
    }

    /// Hands the first bytes out, in pieces.
    func read(upTo end: Int64, _ body: (UnsafeRawBufferPointer) -> Void) throws(HTTPError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        while offset < end {
            let wanted = Int(min(end - offset, Int64(buffer.count)))
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
            let count = try run { () throws(FileSystem.Failure) in try file.read(at: offset, into: part) }
            guard count > 0 else { return }
            body(UnsafeRawBufferPointer(rebasing: part[..<count]))
            offset += Int64(count)
        }
    }

    /// Whether there is anything another download could go on with.
    var isWorthKeeping: Bool {
        let (known, isGone) = state.withLock { ($0.known, $0.isGone) }
        return known != nil && !isGone && ((try? file.length()) ?? 0) > 0
    }

    /// The content has been moved to its place.
    func wasMoved() {
        state.withLock { $0.isGone = true }
        forget()
    }

    /// Lets others have it; the last call.
    func release() { file.unlock() }

    /// Removes both files.
    func discard() {
        forget()
        let isGone = state.withLock { state in
            defer { state.isGone = true }
            return state.isGone
        }
        if !isGone { try? FileSystem.delete(location.content.path) }
    }

    private func forget() {
        if let url = location.state { try? FileSystem.delete(url.path) }
        state.withLock { state in
            state.known = nil
            state.unsynced = 0
        }
    }

    private func run<Value>(_ call: () throws(FileSystem.Failure) -> Value) throws(HTTPError) -> Value {
        do {
            return try call()
        } catch {
            throw PartialDownload.failure(error, location.content)
        }
    }

    private static func failure(_ error: FileSystem.Failure, _ url: URL) -> HTTPError {
        .file(
            FileFailure(url: url, operation: .write, reason: "\(error.call): \(String(cString: strerror(error.code)))"))
    }
}
