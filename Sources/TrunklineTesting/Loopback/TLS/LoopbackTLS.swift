import Foundation

/// TLS in front of a ``LoopbackServer``, with a certificate authority made on the spot.
///
/// ```swift
/// let secure = try LoopbackTLS(to: server)
/// var configuration = TransportConfiguration()
/// configuration.tls.trust = .caPEM(secure.authorityPEM)
/// // … requests to secure.baseURL, https://localhost:PORT
/// ```
///
/// Speaks TLS 1.2 and 1.3 by the system's OpenSSL 3, which is looked for at run time; HTTP/1.1 only: there is no HTTP/2.
/// Each connection has a thread, which passes bytes on to the server. The server sees connections from this machine as it
/// would without TLS.
///
/// All members may be used from any thread.
public final class LoopbackTLS: Sendable {
    /// The port the system gave it.
    public var port: Int { listener.port }
    /// `https://localhost:PORT`, or with the first of the hosts where `localhost` is not among them, without a path.
    public let baseURL: URL
    /// The certificate of the authority, in PEM: what clients have to trust.
    public let authorityPEM: Data
    /// The server behind it.
    public let server: LoopbackServer
    private let listener: RelayListener
    private let handshakes: Protected<(done: Int, failed: Int)>

    /// Whether there is an OpenSSL to do it.
    public static var isAvailable: Bool { (try? OpenSSL.system.get()) != nil }

    /// Starts TLS in front of a server.
    ///
    /// - Parameters:
    ///   - server: what answers; it is kept alive.
    ///   - hosts: the names and addresses of the certificate.
    ///   - isExpired: whether the certificate has expired an hour ago, for tests of the refusal.
    /// - Throws: ``LoopbackError`` where there is no OpenSSL 3, a host can't be in a certificate, or no socket can be
    ///   opened.
    public init(
        to server: LoopbackServer, hosts: [String] = ["localhost", "127.0.0.1", "::1"], isExpired: Bool = false
    ) throws {
        guard let first = hosts.contains("localhost") ? "localhost" : hosts.first else {
            throw LoopbackError("a certificate needs a host")
        }
        // A name of its own: of two authorities with one name, clients would take either for the issuer.
        let authority = try LoopbackCertificate(
            name: "Loopback authority \(UInt32.random(in: 0 ... .max))", hosts: [], issuer: nil, lifetime: 86_400)
        let certificate = try LoopbackCertificate(
            name: first, hosts: hosts, issuer: authority, lifetime: isExpired ? -3600 : 86_400)
        let context = try TLSContext(certificate)
        self.server = server
        let target = server.port
        let handshakes = Protected((done: 0, failed: 0))
        self.handshakes = handshakes
        authorityPEM = try authority.pem()
        listener = try RelayListener(name: "loopback-tls") { connections, client in
            LoopbackTLS.blockPipeSignal()
            guard let end = TLSEnd(context, client) else { return }
            let isDone = end.handshake(limit: .seconds(60))
            handshakes.withLock { if isDone { $0.done += 1 } else { $0.failed += 1 } }
            guard isDone, let plain = SystemSocket.connect(port: target), connections.register(plain) else { return }
            Relay(end, SocketEnd(plain)).run()
        }
        guard let url = URL(string: "https://\(first.contains(":") ? "[\(first)]" : first):\(listener.port)") else {
            throw LoopbackError("no URL can be made of the host \"\(first)\"")
        }
        baseURL = url
    }

    /// Stops it and closes its connections; the server goes on.
    public func stop() { listener.stop() }

    /// How many handshakes were completed.
    public var handshakeCount: Int { handshakes.withLock { $0.done } }
    /// How many handshakes failed: clients that don't trust the certificate, mostly.
    public var failedHandshakeCount: Int { handshakes.withLock { $0.failed } }

    /// A URL of the server: `secure.url("/books?page=2")`; nil when the text makes none.
    public func url(_ pathAndQuery: String) -> URL? { URL(string: baseURL.absoluteString + pathAndQuery) }

    /// OpenSSL writes to sockets without `MSG_NOSIGNAL`: a client that has gone away would end the process.
    private static func blockPipeSignal() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
