/// One side of a relay: a connection that never blocks.
protocol RelayEnd: AnyObject {
    /// What to wait on.
    var descriptor: Int32 { get }
    /// Reads into a buffer that is not empty.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> SystemSocket.Transfer
    /// Writes from a buffer that is not empty.
    func send(_ bytes: UnsafeRawBufferPointer) -> SystemSocket.Transfer
    /// Says that nothing more will be written.
    func finishWriting()
}

/// A plain connection.
final class SocketEnd: RelayEnd {
    let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    func receive(into buffer: UnsafeMutableRawBufferPointer) -> SystemSocket.Transfer {
        SystemSocket.receive(descriptor, into: buffer)
    }

    func send(_ bytes: UnsafeRawBufferPointer) -> SystemSocket.Transfer { SystemSocket.send(descriptor, bytes) }

    func finishWriting() { SystemSocket.finishWriting(descriptor) }
}
