import Foundation
import TrunklineHTTP

/// One connection of a proxy, on its thread.
struct ProxyConnection {
    /// What becomes of a request.
    enum Route {
        /// It goes to this port.
        case connect(Int)
        /// The proxy answers itself.
        case refuse(Int, HTTPHeaders)
    }

    private static let headLimit = 64 << 10
    /// How long the head may take; a client that sends none is not waited for for ever.
    private static let headSeconds = 60

    let client: Int32
    let connections: RelayListener.Connections

    func run(_ route: (ProxyHead) -> Route) {
        guard let (bytes, rest) = readHead() else { return }
        guard let head = ProxyHead(bytes) else { return answer(400) }
        switch route(head) {
        case .refuse(let status, let headers): answer(status, headers)
        case .connect(let port):
            guard let server = SystemSocket.connect(port: port) else { return answer(502) }
            guard connections.register(server) else { return }
            if head.isTunnel, !write("HTTP/1.1 200 Connection established\r\nVia: 1.1 loopback\r\n\r\n") { return }
            let first = head.isTunnel ? rest : head.forwarded + rest
            Relay(SocketEnd(client), SocketEnd(server)).run(head: first)
        }
    }

    /// The bytes up to the empty line, and what came after them.
    private func readHead() -> (head: [UInt8], rest: [UInt8])? {
        let deadline = ContinuousClock.now + .seconds(ProxyConnection.headSeconds)
        let end = Array("\r\n\r\n".utf8)
        var bytes: [UInt8] = []
        var scratch = [UInt8](repeating: 0, count: 16 << 10)
        while bytes.count < ProxyConnection.headLimit, ContinuousClock.now < deadline {
            switch scratch.withUnsafeMutableBytes({ SystemSocket.receive(client, into: $0) }) {
            case .bytes(let count):
                let start = max(0, bytes.count - 3)
                bytes.append(contentsOf: scratch[..<count])
                var place = start
                while place + 4 <= bytes.count {
                    if bytes[place..<(place + 4)].elementsEqual(end) {
                        return (Array(bytes[..<place]), Array(bytes[(place + 4)...]))
                    }
                    place += 1
                }
            case .wouldBlock: SystemSocket.wait(for: [(client, .read)], milliseconds: 1000)
            case .ended, .failed: return nil
            }
        }
        return nil
    }

    private func answer(_ status: Int, _ headers: HTTPHeaders = [:]) {
        var text = "HTTP/1.1 \(status) \(StatusPhrase.of(status))\r\n"
        for field in headers { text += "\(field.name): \(field.value)\r\n" }
        _ = write(text + "Content-Length: 0\r\nConnection: close\r\n\r\n")
        SystemSocket.finishWriting(client)
    }

    /// Writes it all; false when the client is gone.
    private func write(_ text: String) -> Bool {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            switch bytes.withUnsafeBytes({ SystemSocket.send(client, $0) }) {
            case .bytes(let count): bytes = bytes.dropFirst(count)
            case .wouldBlock: SystemSocket.wait(for: [(client, .write)], milliseconds: 1000)
            case .ended, .failed: return false
            }
        }
        return true
    }
}
