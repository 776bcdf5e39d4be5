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
    }

    /// An open file; closed when the value ends.
    struct Descriptor: ~Copyable {
        let raw: Int32

        deinit { _ = close(raw) }
    }

    /// Opens for reading. A symbolic link is refused; a FIFO in the file's place can't block the call.
    static func openForReading(_ path: String) throws(Failure) -> Descriptor {
        try opened(open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK))
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
            isRegular: kind == S_IFREG, isDirectory: kind == S_IFDIR)
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
