import CTrunklineCurl

/// What the C callbacks ask of a transfer, on the loop's thread.
extension CurlTransfer {
    /// Gives the head of a streamed response to the waiting task. A copy: trailers are added to the original later.
    func headArrived() {
        let state = handle.pointer
        let lines = UnsafeRawBufferPointer(start: state.pointee.head.bytes, count: state.pointee.head_end)
        tlc_transfer_collect(state)
        var metrics = CurlResult.metrics(of: self)
        (metrics.total, metrics.bytesReceived) = (nil, nil)
        resume(.head(status: state.pointee.status, lines: Array(lines), metrics))
    }

    /// Takes body bytes for the consumer of the stream.
    func push(_ bytes: UnsafeRawBufferPointer) -> Int {
        download?.push(bytes) ?? Int(TLC_ABORT)
    }

    /// Puts request body bytes into libcurl's buffer.
    func pull(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard let upload else { return Int(TLC_ABORT) }
        switch upload.pull(into: buffer) {
        case .bytes(let count): return count
        case .wait: return Int(TLC_WAIT)
        case .failed(let error):
            failure = error
            return Int(TLC_ABORT)
        }
    }
}
