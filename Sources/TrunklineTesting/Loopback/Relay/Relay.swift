/// Moves bytes between two connections, both ways, until both directions have ended or one side is gone. Blocks its
/// thread; keeps 64 KiB a direction, so that a slow side slows the other.
struct Relay {
    /// One direction.
    private struct Flow {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var start = 0
        var end = 0
        var sourceHasEnded = false
        var isFinished = false

        var isEmpty: Bool { start == end }
        var wantsInput: Bool { !sourceHasEnded && isEmpty }
    }

    private enum Step { case moved, waits, failed }

    private let left: any RelayEnd
    private let right: any RelayEnd

    init(_ left: any RelayEnd, _ right: any RelayEnd) {
        self.left = left
        self.right = right
    }

    /// Runs to the end.
    ///
    /// - Parameter head: what goes to the right side before anything the left one sends.
    func run(head: [UInt8] = []) {
        var toRight = Flow()
        var toLeft = Flow()
        if !head.isEmpty {
            toRight.buffer = head
            toRight.end = head.count
        }
        while !(toRight.isFinished && toLeft.isFinished) {
            let steps = [Relay.move(&toRight, from: left, to: right), Relay.move(&toLeft, from: right, to: left)]
            if steps.contains(.failed) { return }
            if steps.contains(.moved) { continue }
            SystemSocket.wait(for: [
                (left.descriptor, Relay.interest(reading: toRight, writing: toLeft)),
                (right.descriptor, Relay.interest(reading: toLeft, writing: toRight)),
            ])
        }
    }

    private static func interest(reading: Flow, writing: Flow) -> Poller.Interest {
        var interest: Poller.Interest = []
        if reading.wantsInput { interest.insert(.read) }
        if !writing.isEmpty { interest.insert(.write) }
        return interest
    }

    private static func move(_ flow: inout Flow, from source: any RelayEnd, to sink: any RelayEnd) -> Step {
        if flow.isFinished { return .waits }
        var step = Step.waits
        if flow.wantsInput {
            switch flow.buffer.withUnsafeMutableBytes({ source.receive(into: $0) }) {
            case .bytes(let count):
                (flow.start, flow.end) = (0, count)
                step = .moved
            case .ended: flow.sourceHasEnded = true
            case .failed: return .failed
            case .wouldBlock: break
            }
        }
        while !flow.isEmpty {
            let result = flow.buffer.withUnsafeBytes { bytes in
                sink.send(UnsafeRawBufferPointer(rebasing: bytes[flow.start..<flow.end]))
            }
            switch result {
            case .bytes(let count):
                flow.start += count
                step = .moved
            case .wouldBlock: return step
            case .ended, .failed: return .failed
            }
        }
        if flow.sourceHasEnded {
            sink.finishWriting()
            flow.isFinished = true
            return .moved
        }
        return step
    }
}
