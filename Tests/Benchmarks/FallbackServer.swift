import TrunklineTesting

/// The server where nginx is not installed: the loopback server, in a process of its own.
enum FallbackServer {
    /// Serves until the process is killed; says the port on standard output.
    static func run() throws {
        let server = try LoopbackServer { server in
            server.route(.get, "/1k", respond: .data(Data(repeating: 0x61, count: 1024)))
            server.route(.get, "/100k", respond: .data(Data(repeating: 0x62, count: 100 * 1024)))
            server.route(.get, "/large", respond: .generated(count: 500 << 20))
            server.route(.put, "/upload/file", options: .discardsBody, respond: .status(204))
        }
        server.recordsRequests = false
        print(server.port)
        fflush(nil)
        while true { sleep(1000) }
    }
}
