import CTrunklineCurl

/// What wakes a socket's thread; closed when nobody can any more.
final class SocketWaker: Sendable {
    private let waker: tlc_waker

    init() throws(HTTPError) {
        var waker = tlc_waker()
        guard tlc_waker_open(&waker) else {
            throw .connectionFailed(reason: "the process has no file descriptor left")
        }
        self.waker = waker
    }

    deinit {
        var waker = waker
        tlc_waker_close(&waker)
    }

    func wake() {
        var waker = waker
        tlc_waker_wake(&waker)
    }

    func makeLoop(_ library: CurlLibrary) -> OpaquePointer? {
        var waker = waker
        return tlc_loop_make(library.pointer, &waker, 1, 1)
    }
}
