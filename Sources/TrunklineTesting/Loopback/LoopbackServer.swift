import Foundation

/// A real HTTP/1.1 server on 127.0.0.1 and a free port, for tests of code that talks to a server.
///
/// ```swift
/// let server = try LoopbackServer { server in
///     server.route(.get, "/books/{id}") { request in .json(["id": request["id"] ?? ""]) }
///     server.route(.post, "/books", respond: .status(201))
/// }
/// // … requests to server.baseURL …
/// #expect(server.requests.last?.text == #"{"title":"Emma"}"#)
/// server.stop()
/// ```
///
/// One thread serves all connections, thousands if need be. Handlers run in tasks of their own, so code that blocks the
/// threads of Swift's concurrency holds them up; fixed answers are sent by the server's thread. The requests of a connection are answered in order, one after the other, and pipelined ones wait.
///
/// The server is strict: a request that breaks RFC 9112 is answered with 400 and the connection is closed, so that a
/// client's mistakes show. When a client closes a connection, the handler of its request is cancelled.
///
/// All members may be used from any thread.
public final class LoopbackServer: Sendable {
    /// Answers a request. A thrown error becomes a 500 with the error's text.
    public typealias Handler = @Sendable (LoopbackRequest) async throws -> LoopbackResponse

    /// The address it listens on, an IPv4 or IPv6 literal.
    public let host: String
    /// The port the system gave it.
    public let port: Int
    /// `http://127.0.0.1:PORT`, without a path.
    public let baseURL: URL

    let core: LoopbackCore
    private let ended = DispatchGroup()

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - host: The address to listen on, `127.0.0.1` by default; `::1` for IPv6.
    ///   - options: How connections and requests are treated.
    ///   - routes: Called once with the server, before this initializer returns, to add routes.
    /// - Throws: ``LoopbackError`` when no socket can be opened there.
    public init(
        host: String = "127.0.0.1", options: LoopbackOptions = LoopbackOptions(),
        routes: (LoopbackServer) throws -> Void = { _ in }
    ) throws {
        let core = try LoopbackCore(options: options)
        let listener: Int32
        let port: UInt16
        do {
            (listener, port) = try SystemSocket.listen(host: host, port: 0, backlog: 1024)
        } catch {
            core.finish()
            throw error
        }
        guard let url = URL(string: host.contains(":") ? "http://[\(host)]:\(port)" : "http://\(host):\(port)") else {
            core.finish()
            SystemSocket.close(listener)
            throw LoopbackError("no URL can be made of the host \"\(host)\"")
        }
        self.host = host
        self.port = Int(port)
        self.core = core
        baseURL = url
        let ended = ended
        ended.enter()
        let thread = Thread {
            EventLoop(core: core, listener: listener).run()
            ended.leave()
        }
        thread.name = "loopback-\(port)"
        thread.start()
        try routes(self)
    }

    deinit { stop() }

    /// Stops the server: closes the listener and all connections, cancels handlers, and returns when its thread is done.
    ///
    /// Calling it again does nothing. What was recorded stays; routes are let go of. A server that its own handlers
    /// capture lives until it is stopped; any other stops when it is released.
    public func stop() {
        core.mailbox.post(.stop)
        if Thread.current.name != "loopback-\(port)" { ended.wait() }
    }

    /// How connections and requests are treated. A change holds from the next request on.
    public var options: LoopbackOptions {
        get { core.routes.withLock { $0.options } }
        set { core.routes.withLock { $0.options = newValue } }
    }

    /// Whether every answer closes its connection; see ``LoopbackOptions/closesConnections``.
    public var closesConnections: Bool {
        get { options.closesConnections }
        set { core.routes.withLock { $0.options.closesConnections = newValue } }
    }

    /// Whether request bodies are counted and not kept; see ``LoopbackOptions/discardsBodies``.
    public var discardsBodies: Bool {
        get { options.discardsBodies }
        set { core.routes.withLock { $0.options.discardsBodies = newValue } }
    }

    /// Whether requests are kept; see ``LoopbackOptions/recordsRequests``.
    public var recordsRequests: Bool {
        get { options.recordsRequests }
        set { core.routes.withLock { $0.options.recordsRequests = newValue } }
    }

    /// A URL of this server: `server.url("/books?page=2")`. The text follows the port as it is.
    ///
    /// Nil when the text makes no URL.
    public func url(_ pathAndQuery: String) -> URL? {
        URL(string: baseURL.absoluteString + pathAndQuery)
    }

    /// Closes all connections that are open now, with FIN or, when asked to, with RST. The server goes on.
    public func closeConnections(reset: Bool = false) {
        core.mailbox.post(.closeConnections(reset: reset))
    }
}
