import TrunklineHTTP

/// Ports of 127.0.0.1.
enum FreePort {
    private static func socketAndAddress(port: Int) -> (Int32, sockaddr_in) {
        #if canImport(Darwin)
            let file = socket(AF_INET, SOCK_STREAM, 0)
        #else
            let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(truncatingIfNeeded: port).bigEndian)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return (file, address)
    }

    /// A port nobody listens on at the moment.
    static func find() throws -> Int {
        var (file, address) = socketAndAddress(port: 0)
        defer { close(file) }
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(file, $0, length) == 0 && getsockname(file, $0, &length) == 0
            }
        }
        guard isBound else { throw BenchmarkFailure(description: "no free port") }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// Waits, ten seconds at most, until somebody listens.
    static func waitUntilOpen(_ port: Int) throws {
        let deadline = ContinuousClock.now + .seconds(10)
        while ContinuousClock.now < deadline {
            var (file, address) = socketAndAddress(port: port)
            let isOpen = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            close(file)
            if isOpen { return }
            usleep(20_000)
        }
        throw BenchmarkFailure(description: "the server did not start")
    }
}
