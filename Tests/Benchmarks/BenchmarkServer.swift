import TrunklineHTTP

/// nginx on 127.0.0.1, from a configuration in a directory of its own.
final class BenchmarkServer {
    let base: String
    let directory: URL
    private let process: Process

    init(largeFile: Bool) throws {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent(
            "trunkline-bench-\(UUID().uuidString)")
        let www = directory.appendingPathComponent("www")
        try FileManager.default.createDirectory(at: www, withIntermediateDirectories: true)
        try Data(repeating: 0x61, count: 1024).write(to: www.appendingPathComponent("1k"))
        try Data(repeating: 0x62, count: 100 * 1024).write(to: www.appendingPathComponent("100k"))
        if largeFile { try Self.makeLargeFile(www.appendingPathComponent("large")) }
        guard
            let nginx = ["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/usr/bin/nginx", "/opt/homebrew/bin/nginx"]
                .first(where: { FileManager.default.isExecutableFile(atPath: $0) })
        else { throw BenchmarkFailure(description: "nginx is not installed") }
        let port = try FreePort.find()
        base = "http://127.0.0.1:\(port)"
        let configuration = directory.appendingPathComponent("nginx.conf")
        try Self.text(directory: directory.path, port: port).write(to: configuration, atomically: true, encoding: .utf8)
        process = Process()
        process.executableURL = URL(fileURLWithPath: nginx)
        process.arguments = ["-p", directory.path, "-c", configuration.path, "-e", directory.path + "/error.log"]
        try process.run()
        try FreePort.waitUntilOpen(port)
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
