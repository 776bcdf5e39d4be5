import Foundation

/// A server's certificate and settings. Owns OpenSSL's handle.
///
/// `@unchecked Sendable`: the handle is set up in the initialiser and only makes connections afterwards, which OpenSSL
/// allows from several threads; it is freed once, when the last reference has gone.
final class TLSContext: @unchecked Sendable {
    private static let modeControl: Int32 = 33  // SSL_CTRL_MODE
    private static let partialWritesAndMovingBuffers = 3

    let library: OpenSSL
    let handle: OpaquePointer

    init(_ certificate: LoopbackCertificate) throws(LoopbackError) {
        library = certificate.library
        guard let handle = library.newContext(library.serverMethod()) else {
            throw LoopbackError("no TLS context could be made")
        }
        self.handle = handle
        guard library.useCertificate(handle, certificate.certificate) == 1,
            library.useKey(handle, certificate.key) == 1
        else { throw LoopbackError("the certificate could not be taken into use") }
        _ = library.controlContext(handle, Self.modeControl, Self.partialWritesAndMovingBuffers, nil)
    }

    deinit { library.freeContext(handle) }
}

/// The server's side of a TLS connection, on one thread.
final class TLSEnd: RelayEnd {
    private static let wantsRead: Int32 = 2
    private static let wantsWrite: Int32 = 3
    private static let closed: Int32 = 6

    let descriptor: Int32
    private let context: TLSContext
    private let handle: OpaquePointer
    private var library: OpenSSL { context.library }

    /// Nil when there is no memory for it.
    init?(_ context: TLSContext, _ descriptor: Int32) {
        guard let handle = context.library.newConnection(context.handle) else { return nil }
        self.context = context
        self.handle = handle
        self.descriptor = descriptor
        guard library.setDescriptor(handle, descriptor) == 1 else { return nil }
    }

    deinit { library.freeConnection(handle) }

    /// Does the handshake; false when it fails, or takes longer than the limit.
    func handshake(limit: Duration) -> Bool {
        let deadline = ContinuousClock.now + limit
        while ContinuousClock.now < deadline {
            library.clearErrors()
            let result = library.accept(handle)
            if result == 1 { return true }
            switch library.error(handle, result) {
            case Self.wantsRead: SystemSocket.wait(for: [(descriptor, .read)], milliseconds: 1000)
            case Self.wantsWrite: SystemSocket.wait(for: [(descriptor, .write)], milliseconds: 1000)
            default: return false
            }
        }
        return false
    }

    func receive(into buffer: UnsafeMutableRawBufferPointer) -> SystemSocket.Transfer {
        library.clearErrors()
        return transfer(library.read(handle, buffer.baseAddress, Int32(clamping: buffer.count)))
    }

    func send(_ bytes: UnsafeRawBufferPointer) -> SystemSocket.Transfer {
        library.clearErrors()
        return transfer(library.write(handle, bytes.baseAddress, Int32(clamping: bytes.count)))
    }

    private func transfer(_ result: Int32) -> SystemSocket.Transfer {
        if result > 0 { return .bytes(Int(result)) }
        switch library.error(handle, result) {
        case Self.wantsRead, Self.wantsWrite: return .wouldBlock
        case Self.closed: return .ended
        default: return .failed(ECONNRESET)
        }
    }

    func finishWriting() {
        library.clearErrors()
        _ = library.shutDown(handle)
        SystemSocket.finishWriting(descriptor)
    }
}
