/// The way through proxies.
public enum ProxyPolicy: Hashable, Sendable {
    /// As `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` say.
    case environment
    /// Straight to the server, whatever the environment says.
    case none
    /// Through this proxy.
    case proxy(Proxy)

    /// One proxy.
    public struct Proxy: Hashable, Sendable {
        /// What the proxy speaks.
        public enum Kind: Hashable, Sendable {
            /// HTTP: a tunnel (`CONNECT`) for https, forwarding for http.
            case http
            /// HTTP over TLS to the proxy.
            case https
            /// SOCKS 5 (RFC 1928); the proxy resolves names.
            case socks5
        }

        /// What the proxy speaks.
        public var kind: Kind
        /// Its name or address.
        public var host: String
        /// Its port.
        public var port: Int
        /// The user it asks for, or nil.
        public var user: String?
        /// The password it asks for, or nil.
        public var password: String?
        /// Hosts that are reached without it: names (with their subdomains), addresses, CIDR blocks, or `*`.
        public var exceptions: [String]

        /// Makes a proxy.
        public init(
            kind: Kind = .http, host: String, port: Int, user: String? = nil, password: String? = nil,
            exceptions: [String] = []
        ) {
            self.kind = kind
            self.host = host
            self.port = port
            self.user = user
            self.password = password
            self.exceptions = exceptions
        }
    }
}
