import Foundation
import Testing

@testable import TrunklineHTTP

/// An HTTP proxy that speaks `CONNECT` alone, with two blocking threads a connection.
final class TunnelProxy: Sendable {
    let port: Int
    private let listener: Int32
    private let received: Protected<[String]>

    /// The heads of the requests that came.
    var heads: [String] { received.current }

    init() throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Self.loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 8) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        try #require(isListening)
        port = Int(UInt16(bigEndian: address.sin_port))
        let received = Protected<[String]>([])
        self.received = received
        Thread.detachNewThread {
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                Thread.detachNewThread { Self.serve(client, received) }
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    private static func loopback(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static func serve(_ client: Int32, _ received: Protected<[String]>) {
        defer { close(client) }
        var head: [UInt8] = []
        var byte: UInt8 = 0
        while !head.suffix(4).elementsEqual([13, 10, 13, 10]), read(client, &byte, 1) == 1 { head.append(byte) }
        let text = String(decoding: head, as: UTF8.self)
        received.withLock { $0.append(text) }
        let target = text.split(separator: " ").dropFirst().first ?? ""
        var address = loopback(port: Int(target.split(separator: ":").last ?? "") ?? 0)
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(server) }
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { return }
        let answer = Array("HTTP/1.1 200 Connected\r\nX-Proxy: 1\r\n\r\n".utf8)
        _ = write(client, answer, answer.count)
        let ended = DispatchGroup()
        ended.enter()
        Thread.detachNewThread {
            copy(from: server, to: client)
            ended.leave()
        }
        copy(from: client, to: server)
        ended.wait()
    }

    private static func copy(from source: Int32, to sink: Int32) {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = read(source, &buffer, buffer.count)
            guard count > 0, send(sink, buffer, count, Int32(MSG_NOSIGNAL)) == count else { break }
        }
        shutdown(sink, Int32(SHUT_WR))
    }
}
