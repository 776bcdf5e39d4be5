import TrunklineHTTP

/// nginx on 127.0.0.1, from a configuration in a directory of its own; the loopback server where there is none.
final class BenchmarkServer {
    let base: String
    let directory: URL
    private let process: Process

    /// - Parameter largeFile: whether there is a file of 500 MB, to be sent or fetched.
    init(largeFile: Bool) throws {
        directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("trunkline-bench-\(UUID().uuidString)")
        let www = directory.appendingPathComponent("www")
        try FileManager.default.createDirectory(at: www, withIntermediateDirectories: true)
        if largeFile { try Self.makeLargeFile(www.appendingPathComponent("large")) }
        process = Process()
        guard let nginx = Self.nginx else {
            base = try Self.startFallback(process)
            return
        }
        try Data(repeating: 0x61, count: 1024).write(to: www.appendingPathComponent("1k"))
        try Data(repeating: 0x62, count: 100 * 1024).write(to: www.appendingPathComponent("100k"))
        let port = try FreePort.find()
        base = "http://127.0.0.1:\(port)"
        let configuration = directory.appendingPathComponent("nginx.conf")
        try Self.text(directory: directory.path, port: port).write(to: configuration, atomically: true, encoding: .utf8)
        process.executableURL = URL(fileURLWithPath: nginx)
        process.arguments = ["-p", directory.path, "-c", configuration.path, "-e", directory.path + "/error.log"]
        try process.run()
        try FreePort.waitUntilOpen(port)
    }

    private static let nginx = [
        "/usr/sbin/nginx", "/usr/local/sbin/nginx", "/usr/bin/nginx", "/opt/homebrew/bin/nginx",
    ]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

    private static func startFallback(_ process: Process) throws -> String {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = ["--serve"]
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw BenchmarkFailure(description: "the loopback server did not start")
        }
        FileHandle.standardError.write(Data("nginx is not installed: the loopback server stands in\n".utf8))
        return "http://127.0.0.1:\(port)"
    }

    deinit {
        // Not SIGTERM: the threads of Dispatch block it, and a child inherits that.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: directory)
    }

    private static func makeLargeFile(_ url: URL) throws {
        try Data().write(to: url)
        let file = try FileHandle(forWritingTo: url)
        let block = Data((0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 7) })
        for _ in 0..<500 { try file.write(contentsOf: block) }
        try file.close()
    }

    private static func text(directory: String, port: Int) -> String {
        """
        daemon off; master_process off; pid \(directory)/pid; error_log \(directory)/error.log crit;
        events { worker_connections 4096; }
        http {
            access_log off; keepalive_requests 100000000; keepalive_timeout 300; client_max_body_size 0;
            client_body_temp_path \(directory)/body; proxy_temp_path \(directory)/proxy;
            fastcgi_temp_path \(directory)/fastcgi; uwsgi_temp_path \(directory)/uwsgi; scgi_temp_path \(directory)/scgi;
            open_file_cache max=10; default_type application/json; sendfile on;
            server {
                listen 127.0.0.1:\(port) backlog=4096; root \(directory)/www;
                location /upload/ { return 204; }
            }
        }
        """
    }
}
