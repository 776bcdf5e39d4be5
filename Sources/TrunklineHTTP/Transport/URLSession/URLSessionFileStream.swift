#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    /// A file as the body stream of a request: exactly the bytes that were announced, or a failure.
    ///
    /// The toolchain's own upload from a file reads it in the background, and ends the process when the connection is lost
    /// during a read, or when a part has to be sent again. A stream is read where it is sent.
    final class URLSessionFileStream: InputStream {
        private let url: URL
        private let fail: @Sendable (HTTPError) -> Void
        private var file: Int32
        private var rest: Int64
        private var status = Stream.Status.notOpen

        /// - Parameters:
        ///   - length: of the file, in bytes. What it has grown by since then is not sent.
        ///   - fail: hears why the file could not be read to that length, on the queue that reads.
        /// - Throws: ``HTTPError/file(_:)`` where the file can't be opened.
        init(url: URL, length: Int64, fail: @escaping @Sendable (HTTPError) -> Void) throws(HTTPError) {
            self.url = url
            self.fail = fail
            rest = length
            file = Foundation.open(url.path, O_RDONLY | O_CLOEXEC)
            let code = errno
            super.init(data: Data())
            if file < 0 {
                throw .file(FileFailure(url: url, operation: .read, reason: String(cString: strerror(code))))
            }
        }

        deinit { close() }

        override var streamStatus: Stream.Status { status }
        override var hasBytesAvailable: Bool { rest > 0 }

        override func open() { status = .open }

        override func close() {
            if file >= 0 { _ = Foundation.close(file) }
            file = -1
            status = .closed
        }

        override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
            let wanted = Int(min(Int64(maxLength), rest))
            guard wanted > 0 else { return 0 }
            var count: Int
            repeat { count = Foundation.read(file, buffer, wanted) } while count < 0 && errno == EINTR
            guard count > 0 else {
                let reason = count < 0 ? String(cString: strerror(errno)) : "it ended \(rest) bytes early"
                status = .error
                fail(.file(FileFailure(url: url, operation: .read, reason: reason)))
                return -1
            }
            rest -= Int64(count)
            return count
        }
    }
#endif
