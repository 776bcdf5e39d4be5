import Foundation

/// A file that is open for reading and writing and locked against every other holder, in this process and in others. The
/// lock ends with the object, or with the process, however that ends.
final class LockedFile: Sendable {
    private let raw: Int32

    private init(raw: Int32) { self.raw = raw }

    deinit {
        // A close alone would leave the lock to a child process that was forked and has not got as far as its program.
        unlock()
        _ = close(raw)
    }

    /// Opens the file, makes it where it is missing, and locks it; nil when somebody else has it.
    ///
    /// A file that has a second name is somebody's finished content, left here by a process that was killed while it moved
    /// it: this name is taken from it, and a new file made.
    ///
    /// - Parameter isOwn: whether nobody else knows the name, so that a file system without locks will do.
    static func locking(_ path: String, isOwn: Bool = false) throws(FileSystem.Failure) -> LockedFile? {
        for _ in 0..<100 {
            let raw = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o666)
            guard raw >= 0 else { throw FileSystem.Failure(call: "open", code: errno) }
            let file = LockedFile(raw: raw)
            while flock(raw, LOCK_EX | LOCK_NB) != 0 {
                if errno == EINTR { continue }
                // Without locks, nothing that others may use is used.
                guard isOwn, errno != EWOULDBLOCK else { return nil }
                break
            }
            // Between the two calls its last holder may have moved or removed it: then the lock is on a file without name.
            guard let names = file.names(at: path) else { continue }
            if names == 1 { return file }
            try FileSystem.delete(path)
        }
        return nil
    }

    /// How many names the file has; nil when this is none of them.
    private func names(at path: String) -> Int? {
        var own = stat()
        var named = stat()
        let isThere =
            fstat(raw, &own) == 0 && lstat(path, &named) == 0 && own.st_ino == named.st_ino
            && own.st_dev == named.st_dev && own.st_mode & S_IFMT == S_IFREG
        return isThere ? Int(own.st_nlink) : nil
    }

    /// Gives the lock back before the object goes; nothing may be written afterwards.
    func unlock() { _ = flock(raw, LOCK_UN) }

    /// The length, in bytes.
    func length() throws(FileSystem.Failure) -> Int64 {
        var facts = stat()
        guard fstat(raw, &facts) == 0 else { throw FileSystem.Failure(call: "fstat", code: errno) }
        return Int64(facts.st_size)
    }

    /// Writes all bytes at the offset.
    func write(_ data: Data, at offset: Int64) throws(FileSystem.Failure) {
        try FileSystem.write(raw, data, at: offset)
    }

    /// Reads at the offset until the buffer is full or the file ends; returns the number of bytes.
    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(FileSystem.Failure) -> Int {
        try FileSystem.read(raw, at: offset, into: buffer)
    }

    /// Cuts the file, or fills it up with zeros.
    func truncate(to length: Int64) throws(FileSystem.Failure) {
        while ftruncate(raw, off_t(length)) != 0 {
            guard errno == EINTR else { throw FileSystem.Failure(call: "ftruncate", code: errno) }
        }
    }

    /// Returns when what was written is on the disk.
    func sync() throws(FileSystem.Failure) {
        guard fsync(raw) == 0 else { throw FileSystem.Failure(call: "fsync", code: errno) }
    }
}
