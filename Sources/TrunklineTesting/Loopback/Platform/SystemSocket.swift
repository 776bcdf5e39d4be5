import Foundation

/// The socket calls of the loopback server: non-blocking, close-on-exec, never a SIGPIPE, `EINTR` retried.
///
/// Everything that differs between Linux and Darwin is in this file and in the pollers next to it.
enum SystemSocket {
    /// How one read or write went.
    enum Transfer {
        /// So many bytes were moved, at least one.
        case bytes(Int)
        /// Nothing can be moved now.
        case wouldBlock
        /// The peer has finished sending (reads only).
        case ended
        /// The connection is gone, with the system's error number.
        case failed(Int32)
    }

    /// What came out of the accept queue.
    enum Accepted {
        case connection(Int32)
        case none
        /// No descriptor or memory is left for now; try again later.
        case exhausted
    }

    /// Opens a listening socket on a free port of `host`, an IPv4 or IPv6 literal.
    static func listen(host: String, port: UInt16, backlog: Int32) throws -> (descriptor: Int32, port: UInt16) {
        var v4 = sockaddr_in()
        var v6 = sockaddr_in6()
        if inet_pton(AF_INET, host, &v4.sin_addr) == 1 {
            v4.sin_family = sa_family_t(AF_INET)
            v4.sin_port = port.bigEndian
            return try open(family: AF_INET, address: &v4, host: host, backlog: backlog)
        }
        if inet_pton(AF_INET6, host, &v6.sin6_addr) == 1 {
            v6.sin6_family = sa_family_t(AF_INET6)
            v6.sin6_port = port.bigEndian
            return try open(family: AF_INET6, address: &v6, host: host, backlog: backlog)
        }
        throw LoopbackError("\"\(host)\" is not an IPv4 or IPv6 address")
    }

    private static func open<Address>(
        family: Int32, address: inout Address, host: String, backlog: Int32
    ) throws -> (descriptor: Int32, port: UInt16) {
        #if canImport(Darwin)
            let descriptor = socket(family, SOCK_STREAM, 0)
        #else
            let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        guard descriptor >= 0 else { throw LoopbackError(call: "socket", host: host, code: errno) }
        prepare(descriptor)
        set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
        let length = socklen_t(MemoryLayout<Address>.size)
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        guard bound == 0 else {
            defer { close(descriptor) }
            throw LoopbackError(call: "bind", host: host, code: errno)
        }
        guard Foundation.listen(descriptor, backlog) == 0 else {
            defer { close(descriptor) }
            throw LoopbackError(call: "listen", host: host, code: errno)
        }
        return (descriptor, port(of: descriptor))
    }

    /// The local port of a bound socket, 0 when the system does not say.
    private static func port(of descriptor: Int32) -> UInt16 {
        var storage = sockaddr_in6()  // larger than sockaddr_in; the port is at the same place in both
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let known = withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        return known == 0 ? UInt16(bigEndian: storage.sin6_port) : 0
    }

    /// Takes the next connection from the queue, ready for use: non-blocking and without Nagle's delay.
    static func accept(_ listener: Int32) -> Accepted {
        while true {
            let descriptor = Foundation.accept(listener, nil, nil)
            if descriptor >= 0 {
                prepare(descriptor)
                set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
                return .connection(descriptor)
            }
            switch errno {
            case EINTR, ECONNABORTED: continue
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
            default: return .none
            }
        }
    }

    /// Connects to a port of this machine; nil when nobody listens there. Loopback connects at once or not at all.
    static func connect(port: Int) -> Int32? {
        guard let number = UInt16(exactly: port) else { return nil }
        #if canImport(Darwin)
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        guard descriptor >= 0 else { return nil }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = number.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Foundation.connect(descriptor, $0, length) == 0 }
        }
        guard isConnected else {
            close(descriptor)
            return nil
        }
        prepare(descriptor)
        set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        return descriptor
    }

    /// Ends both directions, so that whoever waits for the socket wakes up; the descriptor stays open.
    static func shutDown(_ descriptor: Int32) {
        #if canImport(Darwin)
            _ = shutdown(descriptor, SHUT_RDWR)
        #else
            _ = shutdown(descriptor, Int32(SHUT_RDWR))
        #endif
    }

    /// Waits until one of the descriptors is ready for what it is watched for; none, or broken, counts as ready.
    static func wait(for interests: [(descriptor: Int32, interest: Poller.Interest)], milliseconds: Int32 = -1) {
        // One that is watched for nothing would still report its end, again and again.
        var entries = interests.filter { !$0.interest.isEmpty }.map {
            pollfd(fd: $0.descriptor, events: $0.interest.rawValue, revents: 0)
        }
        guard !entries.isEmpty else { return }
        _ = poll(&entries, nfds_t(entries.count), milliseconds)
    }

    /// Reads into `buffer`.
    static func receive(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count > 0 { return .bytes(count) }
            if count == 0 { return .ended }
            switch errno {
            case EINTR: continue
            case EAGAIN, EWOULDBLOCK: return .wouldBlock
            default: return .failed(errno)
            }
        }
    }

    /// Writes from `buffer`, which is not empty.
    static func send(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer) -> Transfer {
        #if canImport(Darwin)
            let flags: Int32 = 0  // SO_NOSIGPIPE was set on the socket
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        while true {
            let count = Foundation.send(descriptor, buffer.baseAddress, buffer.count, flags)
            if count >= 0 { return .bytes(count) }
            switch errno {
            case EINTR: continue
            case EAGAIN, EWOULDBLOCK: return .wouldBlock
            default: return .failed(errno)
            }
        }
    }

    /// Sends FIN and goes on reading.
    static func finishWriting(_ descriptor: Int32) {
        #if canImport(Darwin)
            _ = shutdown(descriptor, SHUT_WR)
        #else
            _ = shutdown(descriptor, Int32(SHUT_WR))
        #endif
    }

    /// Closes the connection with RST in place of FIN: lingering on, for no time.
    static func reset(_ descriptor: Int32) {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        close(descriptor)
    }

    /// Closes a descriptor. Not retried after `EINTR`: it is gone by then on Linux and Darwin.
    static func close(_ descriptor: Int32) {
        _ = Foundation.close(descriptor)
    }

    /// The two ends of a non-blocking pipe.
    static func makePipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw LoopbackError(call: "pipe", host: "wake pipe", code: errno) }
        ends.forEach(prepare)
        return (ends[0], ends[1])
    }

    /// Puts one byte into a pipe. A full pipe will wake its reader all the same.
    static func poke(_ pipe: Int32) {
        var byte: UInt8 = 1
        _ = write(pipe, &byte, 1)
    }

    /// Takes everything out of a pipe.
    static func drain(_ pipe: Int32) {
        var bytes: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        while read(pipe, &bytes, MemoryLayout.size(ofValue: bytes)) > 0 {}
    }

    private static func prepare(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        #if canImport(Darwin)
            set(descriptor, SOL_SOCKET, SO_NOSIGPIPE, 1)
        #endif
    }

    private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}
