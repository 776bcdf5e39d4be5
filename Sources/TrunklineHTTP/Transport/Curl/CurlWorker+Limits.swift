import CTrunklineCurl

/// Time limits, and the pauses that stop them.
extension CurlWorker {
    func note(_ transfer: CurlTransfer) {
        let deadline = transfer.deadline(now: clock.pointee.now, reportsConnections: reportsConnections)
        clock.pointee.next_deadline = min(clock.pointee.next_deadline, deadline)
    }

    func proceed(_ transfer: CurlTransfer, receive: Bool, send: Bool) {
        tlc_loop_continue(handle, transfer.handle.pointer, receive, send)
        note(transfer)
    }

    func expire() {
        let now = clock.pointee.now
        clock.pointee.next_deadline = .max
        for transfer in running {
            if transfer.isAnswered(now: now) {
                remove(transfer)
                end(transfer, .finished(code: Int32(TLC_OK)))
            } else if let limit = transfer.expiredLimit(now: now, reportsConnections: reportsConnections) {
                remove(transfer)
                end(transfer, .failed(.timedOut(limit)))
            }
        }
        for transfer in running { note(transfer) }
    }

    /// Puts a held transfer aside, before it takes a connection.
    func park(_ transfer: CurlTransfer) {
        transfer.phase = .parked
        transfer.origin = nil
        parked[ObjectIdentifier(transfer)] = transfer
    }

    /// Holds the transfer or lets it go on, as its gate stands now: changes may arrive late, never the last state.
    func obeyGate(of transfer: CurlTransfer) {
        let isHeld = transfer.isHeld
        switch transfer.phase {
        case .running:
            let state = transfer.handle.pointer
            guard state.pointee.held != isHeld else { return }
            // The time to connect starts anew: while held it did not count.
            if !isHeld, state.pointee.connected_at == 0 { transfer.startedAt = clock.pointee.now }
            tlc_loop_hold(handle, state, isHeld)
            note(transfer)
        case .parked where !isHeld:
            parked[ObjectIdentifier(transfer)] = nil
            admit(transfer)
        case .new, .waiting, .parked, .ended:
            break
        }
    }
}
