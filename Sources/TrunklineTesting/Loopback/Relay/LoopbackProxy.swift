import Foundation
import TrunklineHTTP

/// A forward proxy on 127.0.0.1 and a free port (RFC 9112, section 3.2.2): tunnels for `CONNECT`, forwarding for requests
/// in absolute form.
///
/// ```swift
/// let proxy = try LoopbackProxy(hosts: ["api.example.com": server.port])
/// configuration.proxy = .proxy(.init(host: proxy.host, port: proxy.port))
/// // http://api.example.com/… now reaches the server
/// ```
///
/// It connects to this machine only: names it has no port for, other than `localhost` and 127.0.0.1, get 502. Each
/// connection has a thread; a forwarded request closes its connection after the answer.
///
/// All members may be used from any thread.
public final class LoopbackProxy: Sendable {
    /// A request as the proxy received it.
    public struct Request: Sendable {
        /// The method, `CONNECT` for a tunnel.
        public let method: HTTPMethod
        /// The target as it was sent: `host:port` of a tunnel, else a URL.
        public let target: String
        /// The header fields, those for the proxy too.
        public let headers: HTTPHeaders
        /// The status the proxy answered itself; nil for a forwarded request.
        public let status: Int?
    }

    private struct State {
        var hosts: [String: Int]
        var credentials: String?
        var requests: [Request] = []
    }

    /// The address it listens on.
    public let host = "127.0.0.1"
    /// The port the system gave it.
    public var port: Int { listener.port }
    private let state: Protected<State>
    private let listener: RelayListener

    /// Starts a proxy.
    ///
    /// - Parameters:
    ///   - hosts: ports of this machine for names, `"api.example.com"` or `"api.example.com:443"`.
    ///   - user: the user it asks for; nil asks for none.
    ///   - password: the user's password.
    /// - Throws: ``LoopbackError`` when no socket can be opened.
    public init(hosts: [String: Int] = [:], user: String? = nil, password: String = "") throws {
        let credentials = user.map { "Basic " + Data("\($0):\(password)".utf8).base64EncodedString() }
        let state = Protected(State(hosts: hosts, credentials: credentials))
        self.state = state
        listener = try RelayListener(name: "loopback-proxy") { connections, client in
            ProxyConnection(client: client, connections: connections).run { head in
                LoopbackProxy.route(head, state)
            }
        }
    }

    /// Stops the proxy and closes its connections.
    public func stop() { listener.stop() }

    /// The ports of names; a change holds for connections made after it.
    public var hosts: [String: Int] {
        get { state.withLock { $0.hosts } }
        set { state.withLock { $0.hosts = newValue } }
    }

    /// The requests that came, in order; those inside a tunnel are not seen.
    public var requests: [Request] { state.withLock { $0.requests } }

    private static func route(_ head: ProxyHead, _ state: Protected<State>) -> ProxyConnection.Route {
        state.withLock { state in
            let route = decide(head, state)
            var status: Int?
            if case .refuse(let code, _) = route { status = code }
            state.requests.append(
                Request(
                    method: HTTPMethod(rawValue: head.method), target: head.target, headers: head.headers,
                    status: status))
            return route
        }
    }

    private static func decide(_ head: ProxyHead, _ state: State) -> ProxyConnection.Route {
        if let credentials = state.credentials, head.headers["Proxy-Authorization"] != credentials {
            return .refuse(407, ["Proxy-Authenticate": "Basic realm=\"Loopback\""])
        }
        guard let (host, port) = head.destination else { return .refuse(400, [:]) }
        let mapped = state.hosts["\(host):\(port)"] ?? state.hosts[host]
        guard let target = mapped ?? (["localhost", "127.0.0.1"].contains(host) ? port : nil) else {
            return .refuse(502, [:])
        }
        return .connect(target)
    }
}
