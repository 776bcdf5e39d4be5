import Foundation
import TestSupport
import Testing
import TrunklineTesting

/// The two servers of the suite: httpbin, for every kind of request, and nginx, for files.
struct OutsideServers: Sendable {
    let httpbin: OutsideServer
    let nginx: OutsideServer
    /// What nginx serves.
    let files: URL

    private static let nginxProgram = ["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/usr/bin/nginx"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }
    /// A Python that has httpbin and gunicorn: `TRUNKLINE_HTTPBIN_PYTHON`, which `.ci/run` sets.
    static let python = ProcessInfo.processInfo.environment["TRUNKLINE_HTTPBIN_PYTHON"]

    /// Whether the suite runs: where httpbin is there.
    static var areWanted: Bool { python != nil }

    /// Started once for the whole suite.
    static let shared = Task.detached { try await HeavyWork.run { try OutsideServers() } }

    private init() throws {
        let python = try #require(Self.python)
        httpbin = try OutsideServer(
            #"exec "$0" -m gunicorn --worker-class gthread --threads 16 --bind 127.0.0.1:0 httpbin:app"#,
            argument: python
        ) { log in
            log.range(of: "Listening at: http://127.0.0.1:").flatMap {
                Int(log[$0.upperBound...].prefix { $0.isNumber })
            }
        }
        files = FileManager.default.temporaryDirectory.appendingPathComponent("trunkline-outside-\(UUID().uuidString)")
        nginx = try Self.startNginx(in: files)
    }

    private static func startNginx(in directory: URL) throws -> OutsideServer {
        let program = try #require(nginxProgram)
        let site = directory.appendingPathComponent("www/folder")
        try FileManager.default.createDirectory(at: site, withIntermediateDirectories: true)
        let root = site.deletingLastPathComponent()
        try OutsideContent.text.write(to: root.appendingPathComponent("text.txt"))
        try OutsideContent.large.write(to: root.appendingPathComponent("large.bin"))
        try Data("inside".utf8).write(to: site.appendingPathComponent("index.html"))
        // A port nobody else has: bound, then given to nginx.
        let port = try #require(try LoopbackServer { _ in }.baseURL.port)
        let path = directory.path
        let configuration = """
            daemon off; master_process off; pid \(path)/pid; error_log \(path)/error.log crit;
            events { worker_connections 256; }
            http {
                access_log off; client_body_temp_path \(path)/body; proxy_temp_path \(path)/proxy;
                fastcgi_temp_path \(path)/fastcgi; uwsgi_temp_path \(path)/uwsgi; scgi_temp_path \(path)/scgi;
                types { text/plain txt; text/html html; application/octet-stream bin; }
                server {
                    listen 127.0.0.1:\(port); root \(path)/www;
                    location / { }
                    location /packed/ { alias \(path)/www/; gzip on; gzip_types text/plain; }
                    location /slow/ { alias \(path)/www/; limit_rate 400k; }
                    location /small { client_max_body_size 10; proxy_pass http://127.0.0.1:\(port)/text.txt; }
                    location /headers { return 200 "[$http_authorization][$http_cookie][$request_method]"; }
                    location /old { return 308 /text.txt; }
                    location /private { auth_basic "shelf"; auth_basic_user_file \(path)/users; }
                }
            }
            """
        try configuration.write(to: directory.appendingPathComponent("conf"), atomically: true, encoding: .utf8)
        try "emma:{PLAIN}wood house\n".write(
            to: directory.appendingPathComponent("users"), atomically: true, encoding: .utf8)
        try FileManager.default.createDirectory(
            at: root.appendingPathComponent("private"), withIntermediateDirectories: true)
        try Data("for emma".utf8).write(to: root.appendingPathComponent("private/letter.txt"))
        return try OutsideServer(
            #"exec "$0" -p \#(path) -c \#(path)/conf -e \#(path)/error.log"#, argument: program
        ) { _ in
            FileManager.default.fileExists(atPath: path + "/pid") ? port : nil
        }
    }
}
