import Foundation

/// Files that are whole or not there, for their owner only, and on the disk when the call returns.
enum DurableFile {
    /// Writes a file beside its place, then moves it there.
    ///
    /// - Parameter isDurable: whether the bytes and the name are on the disk when the call returns; otherwise they survive
    ///   the process and not the machine.
    static func write(_ bytes: Data, to url: URL, isDurable: Bool = true) throws(OutboxError) {
        try place(at: url, isDurable: isDurable) { descriptor in bytes.withUnsafeBytes { write(descriptor, $0) } }
    }

    /// Copies a file, chunk by chunk.
    ///
    /// - Returns: the length and checksum of what was copied.
    static func copy(_ source: URL, to url: URL) throws(OutboxError) -> (length: Int64, checksum: UInt64) {
        let input = open(source.path, O_RDONLY | O_CLOEXEC)
        guard input >= 0 else { throw .file(source.path, reason: String(cString: strerror(errno))) }
        defer { _ = close(input) }
        var checksum = OutboxChecksum()
        var length: Int64 = 0
        var readFailure: Int32?
        try place(at: url, isDurable: true) { descriptor in
            readFailure = chunks(of: input) { chunk in
                checksum.add(chunk)
                length += Int64(chunk.count)
                return write(descriptor, chunk)
            }
            return readFailure
        }
        return (length, checksum.value)
    }

    /// The length and checksum of a file; nil when it can't be read.
    static func sum(of url: URL) -> (length: Int64, checksum: UInt64)? {
        let input = open(url.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard input >= 0 else { return nil }
        defer { _ = close(input) }
        var checksum = OutboxChecksum()
        var length: Int64 = 0
        let failure = chunks(of: input) { chunk in
            checksum.add(chunk)
            length += Int64(chunk.count)
            return nil
        }
        return failure == nil ? (length, checksum.value) : nil
    }

    /// Makes the names in a directory durable.
    static func synchronize(directory: URL) throws(OutboxError) {
        let descriptor = open(directory.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .file(directory.path, reason: String(cString: strerror(errno))) }
        defer { _ = close(descriptor) }
        if let code = synchronize(descriptor) { throw .file(directory.path, reason: String(cString: strerror(code))) }
    }

    /// The work returns an `errno`, or nil for success.
    private static func place(
        at url: URL, isDurable: Bool, _ work: (Int32) -> Int32?
    ) throws(OutboxError) {
        let directory = url.deletingLastPathComponent()
        let temporary = directory.appendingPathComponent(".\(UUID().uuidString).tmp", isDirectory: false).path
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .file(url.path, reason: String(cString: strerror(errno))) }
        var failure = work(descriptor)
        if failure == nil, isDurable { failure = synchronize(descriptor) }
        if close(descriptor) != 0, failure == nil { failure = errno }
        if failure == nil, rename(temporary, url.path) != 0 { failure = errno }
        if let failure {
            _ = unlink(temporary)
            throw .file(url.path, reason: String(cString: strerror(failure)))
        }
        guard isDurable else { return }
        do throws(OutboxError) {
            try synchronize(directory: directory)
        } catch {
            // The caller hears that nothing was kept, so nothing may be there.
            _ = unlink(url.path)
            throw error
        }
    }

    private static func synchronize(_ descriptor: Int32) -> Int32? {
        #if canImport(Darwin)
            // There, fsync leaves the bytes in the drive's own memory. Not every file system has the stronger call.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return nil }
        #endif
        return fsync(descriptor) == 0 ? nil : errno
    }

    private static func write(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer) -> Int32? {
        do throws(FileSystem.Failure) {
            try FileSystem.write(descriptor, buffer)
            return nil
        } catch {
            return error.code
        }
    }

    /// Reads to the end, chunk by chunk; the work and the result are an `errno`, or nil.
    private static func chunks(of descriptor: Int32, _ body: (UnsafeRawBufferPointer) -> Int32?) -> Int32? {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
        defer { buffer.deallocate() }
        while true {
            do throws(FileSystem.Failure) {
                let count = try FileSystem.read(descriptor, into: buffer)
                if count > 0, let failure = body(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { return failure }
                if count < buffer.count { return nil }
            } catch {
                return error.code
            }
        }
    }
}
