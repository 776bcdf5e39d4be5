/// Room on the disk for an entry that is being written; given back when the object goes.
final class DiskReservation: Sendable {
    /// What all reservations of a store have.
    final class Total: Sendable {
        private let bytes = Protected<Int64>(0)
        var current: Int64 { bytes.current }
        fileprivate func add(_ more: Int64) { bytes.withLock { $0 += more } }
    }

    private let total: Total
    private let own = Protected<Int64>(0)

    init(_ total: Total) { self.total = total }

    deinit { total.add(-own.current) }

    var bytes: Int64 { own.current }

    /// Has it be so large from now on.
    func resize(to bytes: Int64) {
        let change = own.withLock { own in
            defer { own = bytes }
            return bytes - own
        }
        total.add(change)
    }
}
