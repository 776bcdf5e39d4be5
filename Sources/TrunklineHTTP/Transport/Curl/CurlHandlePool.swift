import CTrunklineCurl

/// Transfers to use again, their options set once. Thread-safe.
final class CurlHandlePool: Sendable {
    private struct State {
        var free: [CurlHandle] = []
        var isClosed = false
        var made = 0
    }

    private let library: CurlLibrary
    private let options: CurlOptions
    private let capacity: Int
    private let state = Protected(State())

    init(library: CurlLibrary, options: CurlOptions, capacity: Int) {
        self.library = library
        self.options = options
        self.capacity = capacity
    }

    deinit { close() }

    /// The transfers made and not freed yet, here or in use.
    var liveCount: Int { state.withLock { $0.made } }

    /// A transfer with nothing of an earlier request in it.
    func take() throws(HTTPError) -> CurlHandle {
        if let handle = state.withLock({ $0.free.popLast() }) { return handle }
        guard let pointer = tlc_transfer_make(library.pointer, CurlHooks.table) else {
            throw .connectionFailed(reason: "no memory for another transfer")
        }
        let handle = CurlHandle(pointer: pointer)
        state.withLock { $0.made += 1 }
        do {
            try options.apply(to: handle)
        } catch {
            free([handle])
            throw error
        }
        return handle
    }

    /// Takes a transfer back that is in no loop.
    func put(_ handle: CurlHandle) {
        tlc_transfer_reset(handle.pointer)
        let isKept = state.withLock { state in
            guard !state.isClosed, state.free.count < capacity else { return false }
            state.free.append(handle)
            return true
        }
        if !isKept { free([handle]) }
    }

    /// Frees what is here, and from now on what comes back.
    func close() {
        let free = state.withLock { state in
            defer { state.free = [] }
            state.isClosed = true
            return state.free
        }
        self.free(free)
    }

    private func free(_ handles: [CurlHandle]) {
        for handle in handles { tlc_transfer_free(handle.pointer) }
        state.withLock { $0.made -= handles.count }
    }
}
