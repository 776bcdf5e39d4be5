import Foundation

/// How a transport connects: connections, names, TLS, proxies, limits. A value; a transport takes a copy when it is made.
///
/// A setting a transport can't honour makes its initialiser, or the request it would apply to, fail with
/// ``HTTPError/unsupported(feature:platform:)``: never silence.
public struct TransportConfiguration: Sendable {
    /// The most connections to one scheme, host and port; by default 64. Requests beyond it wait their turn, in order,
    /// and no time limit of theirs runs meanwhile but the session's total.
    public var maximumConnectionsPerHost: Int
    /// The most connections in all; by default 256.
    public var maximumConnections: Int
    /// How long connections without use are kept once nothing is in flight; by default 30 s.
    public var idleConnectionLifetime: Duration
    /// How long resolved names are kept; by default 60 s.
    public var dnsCacheLifetime: Duration
    /// Whether HTTP/2 is spoken; by default where the server offers it over TLS.
    public var http2: HTTP2Policy
    /// When `Expect: 100-continue` is sent; by default never.
    public var expectContinue: ExpectContinuePolicy
    /// Server and client identity.
    public var tls: TLSConfiguration
    /// The way through proxies; by default as the environment says.
    public var proxy: ProxyPolicy
    /// Other addresses for hosts, as in `/etc/hosts`; TLS and `Host` keep the original name.
    public var hostOverrides: [HostOverride]
    /// A Unix-domain socket to connect to for every request, whatever its host.
    public var unixSocketPath: String?
    /// The most bytes of header lines in one response, informational heads and trailers included; by default 256 KiB.
    public var maximumHeaderBytes: Int
    /// The most header and trailer lines in one response; by default 1000.
    public var maximumHeaderFields: Int
    /// The most content bytes of one response, decoded, or nil, the default, for no limit.
    public var maximumBodyBytes: Int64?

    /// Makes the default configuration.
    public init() {
        maximumConnectionsPerHost = 64
        maximumConnections = 256
        idleConnectionLifetime = .seconds(30)
        dnsCacheLifetime = .seconds(60)
        http2 = .automatic
        expectContinue = .never
        tls = TLSConfiguration()
        proxy = .environment
        hostOverrides = []
        maximumHeaderBytes = 256 * 1024
        maximumHeaderFields = 1000
    }
}
