import Foundation

/// A lock on a directory among processes and within one: held as long as the object lives, and gone with the process,
/// however that ends.
final class DirectoryLock: Sendable {
    private let descriptor: Int32

    /// - Returns: nil when somebody else has the lock.
    init?(_ directory: URL) throws(OutboxError) {
        let path = directory.appendingPathComponent(".lock", isDirectory: false).path
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .file(path, reason: String(cString: strerror(errno))) }
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            if code == EINTR { continue }
            // The initializer fails after every property was set, so `deinit` closes the descriptor.
            if code == EWOULDBLOCK { return nil }
            throw .file(path, reason: String(cString: strerror(code)))
        }
    }

    deinit {
        guard descriptor >= 0 else { return }
        // A close alone would leave the lock to a child process that was forked and has not got as far as its program.
        _ = flock(descriptor, LOCK_UN)
        _ = close(descriptor)
    }
}
