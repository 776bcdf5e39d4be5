import Foundation

/// What a process has. Only a process of its own can be measured: where tests run side by side, others change it.
package enum ProcessFacts {
    /// How many sockets have this local port: a server's listener and its connections, not their clients.
    package static func sockets(of port: Int) -> Int {
        var count = 0
        for descriptor in Int32(0)..<4096 {
            var address = sockaddr_in6()
            var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
            let known = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
            }
            if known == 0, Int(UInt16(bigEndian: address.sin6_port)) == port { count += 1 }
        }
        return count
    }

    /// The threads; nil where the system does not say.
    package static func threads() -> Int? {
        try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
    }

    /// The ends of pipes, sockets and other descriptors; nil where the system does not say.
    package static func descriptors() -> Int? {
        // The listing itself needs one, always.
        try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }

    /// The memory it holds, in bytes; nil where the system does not say.
    package static func residentBytes() -> Int? { memory("VmRSS:") }

    /// The most memory it has held, in bytes; nil where the system does not say.
    package static func peakResidentBytes() -> Int? { memory("VmHWM:") }

    private static func memory(_ name: String) -> Int? {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name) })
        else { return nil }
        return Int(line.filter(\.isNumber)).map { $0 * 1024 }
    }
}
