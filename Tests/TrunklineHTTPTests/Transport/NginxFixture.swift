import Foundation
import Testing

@testable import TrunklineHTTP

/// nginx on 127.0.0.1 with certificates of a CA made on the spot: for what the loopback server can't speak.
final class NginxFixture: Sendable {
    /// The servers of the configuration, each on a port of its own.
    enum Site: String, CaseIterable {
        /// TLS and HTTP/2, a valid certificate for `localhost` and 127.0.0.1; asks for a client certificate.
        case valid
        /// The same without HTTP/2.
        case http1
        /// Refuses clients without a certificate.
        case clientsOnly
        /// A valid certificate for another name.
        case wrongName
        /// A certificate of a CA nobody trusts.
        case untrusted
        /// A certificate that has expired.
        case expired
        /// TLS 1.2 at most.
        case tls12
        /// No TLS.
        case plain
    }

    let directory: URL
    let ports: [Site: Int]
    private let process: Process

    static let executable = ["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/usr/bin/nginx", "/opt/homebrew/bin/nginx"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// Whether the tests that need nginx and openssl run: where both are installed, and where they must be
    /// (`TRUNKLINE_REQUIRE_NGINX`, set by `.ci/run`), so that a missing one fails there.
    static var isWanted: Bool {
        ProcessInfo.processInfo.environment["TRUNKLINE_REQUIRE_NGINX"] != nil || executable != nil && openssl != nil
    }

    private static let openssl = ["/usr/bin/openssl", "/usr/local/bin/openssl", "/opt/homebrew/bin/openssl"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// Makes the certificates and starts nginx.
    static func start() async throws -> NginxFixture {
        try await HeavyWork.run { try NginxFixture() }
    }

    private init() throws {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent(
            "trunkline-nginx-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: directory.appendingPathComponent("www"), withIntermediateDirectories: true)
        let text = String(repeating: "All work and no play makes Jack a dull boy.\n", count: 1000)
        try Data(text.utf8).write(to: directory.appendingPathComponent("www/text.txt"))
        try Self.makeCertificates(in: directory)
        ports = try Self.freePorts()
        try Self.configuration(directory.path, ports)
            .write(to: directory.appendingPathComponent("nginx.conf"), atomically: true, encoding: .utf8)
        process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(Self.executable))
        process.arguments = [
            "-p", directory.path, "-c", directory.path + "/nginx.conf", "-e", directory.path + "/error.log",
        ]
        try ChildProcess.launch(process)
        try waitUntilReady()
    }

    deinit {
        // Not SIGTERM: the threads of Dispatch block it, and a child inherits that.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: directory)
    }

    func url(_ site: Site, _ path: String = "/", host: String = "localhost") throws -> URL {
        let scheme = site == .plain ? "http" : "https"
        return try #require(URL(string: "\(scheme)://\(host):\(ports[site] ?? 0)\(path)"))
    }

    func file(_ name: String) -> URL { directory.appendingPathComponent(name) }

    /// A configuration that trusts the fixture's CA.
    var trusting: TransportConfiguration {
        var configuration = TransportConfiguration()
        configuration.tls.trust = .caFile(file("ca.pem"))
        return configuration
    }

    /// The SHA-256 of a certificate's public key, in base64.
    func pin(of certificate: String) throws -> String {
        try Self.run(
            "\(Self.openssl ?? "") x509 -in \(certificate).pem -pubkey -noout | "
                + "\(Self.openssl ?? "") pkey -pubin -outform der | \(Self.openssl ?? "") dgst -sha256 -binary | base64",
            in: directory
        ).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func waitUntilReady() throws {
        let deadline = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < deadline {
            if FileManager.default.fileExists(atPath: directory.path + "/nginx.sock"),
                (try? String(contentsOf: file("pid"), encoding: .utf8))?.isEmpty == false
            {
                return
            }
            usleep(10_000)
        }
        let log = (try? String(contentsOf: file("error.log"), encoding: .utf8)) ?? ""
        Issue.record("nginx did not start: \(log)")
    }

    @discardableResult
    private static func run(_ command: String, in directory: URL) throws -> String {
        let process = Process()
        let output = ChildProcess.pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-ec", command]
        process.currentDirectoryURL = directory
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try ChildProcess.launch(process)
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(command)")
        return String(decoding: data, as: UTF8.self)
    }

    private static func makeCertificates(in directory: URL) throws {
        let tool = try #require(openssl)
        let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
        func authority(_ name: String) -> String {
            "\(tool) req -x509 \(key) -keyout \(name).key -out \(name).pem -days 2 -subj /CN=\(name)\n"
        }
        func leaf(_ name: String, _ alternatives: String, by authority: String = "ca", _ dates: String = "-days 2")
            -> String
        {
            "\(tool) req \(key) -keyout \(name).key -out \(name).csr -subj /CN=\(name)\n"
                + "printf 'subjectAltName=\(alternatives)' > \(name).ext\n"
                + "\(tool) x509 -req -in \(name).csr -CA \(authority).pem -CAkey \(authority).key -set_serial $$ "
                + "\(dates) -extfile \(name).ext -out \(name).pem\n"
        }
        try run(
            authority("ca") + authority("other") + leaf("server", "DNS:localhost,IP:127.0.0.1")
                + leaf("wrong", "DNS:other.test") + leaf("stranger", "DNS:localhost", by: "other")
                + leaf("expired", "DNS:localhost", "-days -1") + leaf("client", "email:a@b.test")
                + "\(tool) pkcs12 -export -in client.pem -inkey client.key -passout pass:secret -out client.p12\n",
            in: directory)
    }

    private static func freePorts() throws -> [Site: Int] {
        // All are bound at once, so no two are the same.
        let listeners = try Site.allCases.map { _ in try FullListener() }
        return Dictionary(uniqueKeysWithValues: zip(Site.allCases, listeners.map { $0.url.port ?? 0 }))
    }

    private static func configuration(_ path: String, _ ports: [Site: Int]) -> String {
        func server(_ site: Site, _ certificate: String, _ rest: String) -> String {
            """
            server {
                listen 127.0.0.1:\(ports[site] ?? 0) ssl\(site == .http1 || site == .tls12 ? "" : " http2");
                ssl_certificate \(path)/\(certificate).pem; ssl_certificate_key \(path)/\(certificate).key; \(rest)
                include \(path)/site.conf;
            }
            """
        }
        let site = """
            root \(path)/www;
            location /hello { return 200 "hello $server_protocol $ssl_client_verify $ssl_protocol"; }
            location ~ ^/to/(\\d+)/(.*)$ {
                proxy_pass http://127.0.0.1:$1/$2; proxy_http_version 1.1;
                proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection "upgrade";
            }
            location /upload { client_max_body_size 0; return 200 "got $request_length"; }
            """
        try? site.write(toFile: path + "/site.conf", atomically: true, encoding: .utf8)
        let optional = "ssl_client_certificate \(path)/ca.pem; ssl_verify_client optional;"
        return """
            daemon off; master_process off; pid \(path)/pid; error_log \(path)/error.log crit;
            events { worker_connections 512; }
            http {
                access_log off; client_body_temp_path \(path)/body; proxy_temp_path \(path)/proxy;
                fastcgi_temp_path \(path)/fastcgi; uwsgi_temp_path \(path)/uwsgi; scgi_temp_path \(path)/scgi;
                ssl_protocols TLSv1.2 TLSv1.3; gzip on; gzip_types text/plain; types { text/plain txt; } default_type text/plain;
                \(server(.valid, "server", optional))
                \(server(.http1, "server", optional))
                \(server(.clientsOnly, "server", "ssl_client_certificate \(path)/ca.pem; ssl_verify_client on;"))
                \(server(.wrongName, "wrong", ""))
                \(server(.untrusted, "stranger", ""))
                \(server(.expired, "expired", ""))
                \(server(.tls12, "server", "ssl_protocols TLSv1.2;"))
                server {
                    listen 127.0.0.1:\(ports[.plain] ?? 0); listen unix:\(path)/nginx.sock;
                    include \(path)/site.conf;
                }
            }
            """
    }
}
