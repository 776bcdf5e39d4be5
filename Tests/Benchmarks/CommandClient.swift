import TrunklineHTTP

/// The `curl` command.
struct CommandClient: Client {
    func get(_ url: URL) async throws -> Int { throw BenchmarkFailure(description: "only large transfers") }

    func download(_ url: URL, to file: URL) async throws {
        try run(["-sf", "-o", file.path, url.absoluteString])
    }

    func upload(_ file: URL, to url: URL) async throws {
        try run(["-sf", "-H", "Expect:", "-o", "/dev/null", "-T", file.path, url.absoluteString])
    }

    private func run(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
        process.arguments = arguments
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw BenchmarkFailure(description: "curl failed") }
    }
}
