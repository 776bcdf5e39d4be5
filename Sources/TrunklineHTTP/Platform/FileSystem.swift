import CTrunklineCurl
import Foundation

/// The few system calls the disk cache needs, with every result checked and interrupted calls repeated.
package enum FileSystem {
    /// A call that failed.
    package struct Failure: Error {
        /// The call's name.
        let call: String
        /// The value of `errno`.
        package let code: Int32

        /// Whether there was nothing by that name.
        var isMissing: Bool { code == ENOENT || code == ENOTDIR }
    }

    /// What `stat` tells.
    struct Facts {
        var size: Int64
        /// Seconds since 1970.
        var modified: Double
        var isRegular: Bool
        var isDirectory: Bool
        /// Which file it is, whatever its name.
        var identity: Identity
    }

    /// What a file keeps when it is renamed, and no other file has as long as one of its descriptors is open.
    struct Identity: Hashable, Sendable {
        var device: UInt64
        var number: UInt64
    }

    /// An open file; closed when the value ends.
    struct Descriptor: ~Copyable {
        let raw: Int32

        deinit { _ = close(raw) }
    }

    /// An open file that several hold; closed when the last of them goes.
    final class OpenFile: Sendable {
        let descriptor: Descriptor

        init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

        /// For calls that end before the object does.
        var raw: Int32 { descriptor.raw }
    }

    /// Opens for reading. A symbolic link is refused; a FIFO in the file's place can't block the call.
    static func openForReading(_ path: String) throws(Failure) -> Descriptor {
        try opened(open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK))
    }

    /// Opens for reading if that needs no wait for the disk; fails with `EAGAIN` where it does, or with another code where
    /// the system can't tell.
    static func openCached(_ path: String) throws(Failure) -> Descriptor { try opened(tlc_open_cached(path)) }

    /// Fills the buffer from the offset if that needs no wait for the disk; fails with `EAGAIN` where it does or where the
    /// file ends before, or with another code where the system can't tell.
    static func readCached(
        _ raw: Int32, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(Failure) {
        guard let start = buffer.baseAddress, buffer.count > 0 else { return }
        let count = tlc_read_cached(raw, offset, start, buffer.count)
        guard count == buffer.count else { throw Failure(call: "preadv2", code: count < 0 ? errno : EAGAIN) }
    }

    /// Creates a file that must not exist, for its owner only.
    static func create(_ path: String) throws(Failure) -> Descriptor {
        try opened(open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600))
    }

    private static func opened(_ raw: Int32) throws(Failure) -> Descriptor {
        guard raw >= 0 else { throw Failure(call: "open", code: errno) }
        return Descriptor(raw: raw)
    }

    /// Facts about an open file.
    static func facts(of file: borrowing Descriptor) throws(Failure) -> Facts {
        var status = stat()
        guard fstat(file.raw, &status) == 0 else { throw Failure(call: "fstat", code: errno) }
        return facts(status)
    }

    /// Facts about a name, links not followed.
    static func facts(at path: String) throws(Failure) -> Facts {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw Failure(call: "lstat", code: errno) }
        return facts(status)
    }

    private static func facts(_ status: stat) -> Facts {
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        let kind = status.st_mode & S_IFMT
        return Facts(
            size: Int64(status.st_size), modified: Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9,
            isRegular: kind == S_IFREG, isDirectory: kind == S_IFDIR,
            identity: Identity(
                device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(truncatingIfNeeded: status.st_ino)))
    }

    /// Reads until the buffer is full or the file ends; returns the number of bytes.
    static func read(_ file: borrowing Descriptor, into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        try read(file.raw, into: buffer)
    }

    /// The same, of a descriptor that somebody else closes.
    package static func read(_ raw: Int32, into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        var done = 0
        while done < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            #if canImport(Darwin)
                let count = Darwin.read(raw, rest.baseAddress, rest.count)
            #else
                let count = Foundation.read(raw, rest.baseAddress, rest.count)
            #endif
            if count > 0 {
                done += count
            } else if count == 0 {
                break
            } else if errno != EINTR {
                throw Failure(call: "read", code: errno)
            }
        }
        return done
    }

    /// Writes the whole buffer.
    static func write(_ file: borrowing Descriptor, _ buffer: UnsafeRawBufferPointer) throws(Failure) {
        try write(file.raw, buffer)
    }

    /// The same, to a descriptor that somebody else closes.
    package static func write(_ raw: Int32, _ buffer: UnsafeRawBufferPointer) throws(Failure) {
        var done = 0
        while done < buffer.count {
            let rest = UnsafeRawBufferPointer(rebasing: buffer[done...])
            #if canImport(Darwin)
                let count = Darwin.write(raw, rest.baseAddress, rest.count)
            #else
                let count = Foundation.write(raw, rest.baseAddress, rest.count)
            #endif
            if count >= 0 {
                done += count
            } else if errno != EINTR {
                throw Failure(call: "write", code: errno)
            }
        }
    }

    /// Reads at the offset until the buffer is full or the file ends; returns the number of bytes.
    static func read(
        _ raw: Int32, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(Failure) -> Int {
        var done = 0
        while done < buffer.count {
            let count = pread(
                raw, buffer.baseAddress?.advanced(by: done), buffer.count - done, off_t(offset) + off_t(done))
            if count > 0 {
                done += count
            } else if count == 0 {
                break
            } else if errno != EINTR {
                throw Failure(call: "pread", code: errno)
            }
        }
        return done
    }

    /// Writes all bytes at the offset.
    static func write(_ raw: Int32, _ bytes: some ContiguousBytes, at offset: Int64) throws(Failure) {
        let code: Int32 = bytes.withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
                let count = pwrite(raw, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
                if count >= 0 {
                    done += count
                } else if errno != EINTR {
                    return errno
                }
            }
            return 0
        }
        if code != 0 { throw Failure(call: "pwrite", code: code) }
    }

    /// What became of an attempt to lock a file.
    enum Locking {
        case locked, isHeld, unsupported
    }

    /// Locks the file against every other holder until the descriptor is closed, or the process ends; does not wait.
    static func lock(_ file: borrowing Descriptor) -> Locking {
        while flock(file.raw, LOCK_EX | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            return errno == EWOULDBLOCK ? .isHeld : .unsupported
        }
        return .locked
    }

    /// Sets the file's times to now.
    static func touch(_ file: borrowing Descriptor) { _ = futimens(file.raw, nil) }

    /// Puts the file in the place of `target`, in one step.
    static func move(_ path: String, to target: String) throws(Failure) {
        guard rename(path, target) == 0 else { throw Failure(call: "rename", code: errno) }
    }

    /// Puts the file under a name that must be free, in one step; `EEXIST` when it is not.
    static func moveWithoutReplacing(_ path: String, to target: String) throws(Failure) {
        if link(path, target) == 0 {
            _ = unlink(path)
            return
        }
        let code = errno
        guard code != EEXIST, code != EXDEV, code != ENOENT else { throw Failure(call: "link", code: code) }
        // A file system without hard links: the name is taken first, by an empty file of its own.
        _ = try create(target)
        do {
            try move(path, to: target)
        } catch {
            _ = unlink(target)
            throw error
        }
    }

    /// Removes a file. One that is gone already is fine.
    static func delete(_ path: String) throws(Failure) {
        guard unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR else {
            throw Failure(call: "unlink", code: errno)
        }
    }

    /// Removes a directory if it is empty.
    static func deleteEmptyDirectory(_ path: String) { _ = rmdir(path) }

    /// Makes a directory and those above it, for their owner only.
    static func makeDirectory(_ path: String) throws(Failure) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw Failure(call: "mkdir", code: errno)
        }
    }

    /// The names in a directory; none when it can't be read.
    static func names(in path: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }
}
