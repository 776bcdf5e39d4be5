import CTrunklineCurl

/// The entry points of the C callbacks into Swift. All run on the loop's thread, inside `tlc_loop_run` or
/// `tlc_loop_continue`, with a transfer that the loop keeps alive.
enum CurlHooks {
    /// The table every transfer points to; made once, never freed.
    static var table: UnsafePointer<tlc_hooks> { shared.pointer }

    /// `@unchecked Sendable`: the pointer is to a table that never changes.
    private struct Table: @unchecked Sendable {
        let pointer: UnsafePointer<tlc_hooks>
    }

    private static let shared: Table = {
        let pointer = UnsafeMutablePointer<tlc_hooks>.allocate(capacity: 1)
        pointer.initialize(
            to: tlc_hooks(
                head: { transfer(from: $0).headArrived() },
                push: { user, bytes, count in
                    transfer(from: user).push(UnsafeRawBufferPointer(start: bytes, count: count))
                },
                pull: { user, bytes, capacity in
                    transfer(from: user).pull(UnsafeMutableRawBufferPointer(start: bytes, count: capacity))
                },
                progress: { transfer(from: $0).reportProgress() }))
        return Table(pointer: UnsafePointer(pointer))
    }()

    private static func transfer(from user: UnsafeMutableRawPointer) -> CurlTransfer {
        Unmanaged<CurlTransfer>.fromOpaque(user).takeUnretainedValue()
    }
}
