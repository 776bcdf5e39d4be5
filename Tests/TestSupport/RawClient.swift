import Foundation
import TrunklineTesting

/// What a raw client ran into.
package struct RawClientError: Error, CustomStringConvertible {
    package var description: String
    package var code: Int32 = 0
}

/// A blocking TCP client that knows just enough HTTP to take answers apart: the server is checked by it and by no HTTP
/// client. Use it in `onThread`, never on the cooperative pool, where it would block the server's handlers.
package final class RawClient {
    package struct Answer: Sendable {
        package var status: Int
        package var statusLine: String
        package var headers: HTTPHeaders
        package var body: Data
        package var trailers: HTTPHeaders = [:]
        package var text: String { String(decoding: body, as: UTF8.self) }
    }

    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var isOpen = true

    /// Connects. A call that waits longer than the timeout, in seconds, fails: long enough for a busy machine.
    package convenience init(_ server: LoopbackServer, timeout: Int = 60) throws {
        try self.init(host: server.host, port: server.port, timeout: timeout)
    }

    /// The same, to anything that listens.
    package init(host: String = "127.0.0.1", port: Int, timeout: Int = 60) throws {
        #if canImport(Darwin)
            descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
            // Not inherited by the programs other tests launch: they would keep the connection open.
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        #endif
        guard descriptor >= 0 else { throw RawClientError(description: "socket: \(errno)", code: errno) }
        var limit = timeval(tv_sec: timeout, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var noDelay: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &noDelay, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        inet_pton(AF_INET, host, &address.sin_addr)
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else {
            let code = errno
            close()
            throw RawClientError(description: "connect: \(code)", code: code)
        }
    }

    deinit { close() }

    package func close() {
        if isOpen { _ = Foundation.close(descriptor) }
        isOpen = false
    }

    package func finishWriting() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    package func send(_ text: String) throws { try send(Data(text.utf8)) }

    package func send(_ data: Data) throws {
        var sent = 0
        while sent < data.count {
            let count = data.withUnsafeBytes { bytes in
                Foundation.send(descriptor, bytes.baseAddress.map { $0 + sent }, data.count - sent, noSignal)
            }
            guard count > 0 else { throw RawClientError(description: "send: \(errno)", code: errno) }
            sent += count
        }
    }

    /// Sends a GET with a Host.
    package func get(_ target: String, headers: String = "") throws {
        try send("GET \(target) HTTP/1.1\r\nHost: test\r\n\(headers)\r\n")
    }

    /// Reads what comes next into the buffer; false at the end of input.
    package func fill() throws -> Bool {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        guard count >= 0 else { throw RawClientError(description: "recv: \(errno)", code: errno) }
        buffer.append(contentsOf: chunk[..<count])
        return count > 0
    }

    /// Everything up to the end of input.
    package func readToEnd() throws -> String {
        while try fill() {}
        defer { buffer = [] }
        return String(decoding: buffer, as: UTF8.self)
    }

    package func readByte() throws -> UInt8? {
        while buffer.isEmpty { if try !fill() { return nil } }
        return buffer.removeFirst()
    }

    package func readLine() throws -> String {
        while true {
            if let end = buffer.firstIndex(of: 0x0A) {
                guard end > 0, buffer[end - 1] == 0x0D else { throw RawClientError(description: "a bare line feed") }
                let line = String(decoding: buffer[..<(end - 1)], as: UTF8.self)
                buffer.removeSubrange(...end)
                return line
            }
            guard try fill() else { throw RawClientError(description: "the input ended in a line") }
        }
    }

    package func read(_ count: Int) throws -> Data {
        while buffer.count < count {
            guard try fill() else { throw RawClientError(description: "the input ended in a body") }
        }
        defer { buffer.removeSubrange(..<count) }
        return Data(buffer[..<count])
    }

    package func readFields() throws -> HTTPHeaders {
        var headers: HTTPHeaders = [:]
        while true {
            let line = try readLine()
            if line.isEmpty { return headers }
            guard let colon = line.firstIndex(of: ":") else { throw RawClientError(description: "no colon: \(line)") }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            headers.add(String(line[..<colon]), value)
        }
    }

    /// Reads one answer, as the one to the method.
    package func readAnswer(to method: String = "GET") throws -> Answer {
        let line = try readLine()
        let parts = line.split(separator: " ")
        guard parts.count >= 2, parts[0] == "HTTP/1.1", let status = Int(parts[1]) else {
            throw RawClientError(description: "no status line: \(line)")
        }
        var answer = Answer(status: status, statusLine: line, headers: try readFields(), body: Data())
        if method == "HEAD" || status == 204 || status == 304 || status < 200 { return answer }
        if answer.headers["Transfer-Encoding"] == "chunked" {
            while let size = Int(try readLine(), radix: 16), size > 0 {
                answer.body += try read(size)
                guard try readLine().isEmpty else { throw RawClientError(description: "no end of chunk") }
            }
            answer.trailers = try readFields()
        } else if let length = answer.headers["Content-Length"].flatMap({ Int($0) }) {
            answer.body = try read(length)
        } else {
            answer.body = Data(try readToEnd().utf8)
        }
        return answer
    }

    private var noSignal: Int32 {
        #if canImport(Darwin)
            0
        #else
            Int32(MSG_NOSIGNAL)
        #endif
    }
}
