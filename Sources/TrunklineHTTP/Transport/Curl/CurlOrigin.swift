/// One scheme, host and port, with the transfers that run there and those that wait for their turn. Belongs to the
/// loop's thread.
final class CurlOrigin {
    /// The transfers in libcurl's hands.
    var running = 0
    /// Whether the server was seen to multiplex: then many transfers share a connection.
    var multiplexes = false
    private var waiting: [CurlTransfer?] = []
    private var first = 0

    var hasWaiting: Bool { first < waiting.count }

    func enqueue(_ transfer: CurlTransfer) { waiting.append(transfer) }

    /// The longest-waiting transfer that was not ended meanwhile.
    func dequeue() -> CurlTransfer? {
        while first < waiting.count {
            let next = waiting[first]
            waiting[first] = nil
            first += 1
            if first > 64, first * 2 > waiting.count {
                waiting.removeFirst(first)
                first = 0
            }
            if let next, next.phase == .waiting { return next }
        }
        waiting.removeAll(keepingCapacity: true)
        first = 0
        return nil
    }
}
