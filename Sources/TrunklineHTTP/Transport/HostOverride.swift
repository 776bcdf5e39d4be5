/// Another place to connect to for a host. The request, TLS and `Host` keep the original name.
public struct HostOverride: Hashable, Sendable {
    /// The host of the URL, or nil for every host.
    public var host: String?
    /// The port of the URL, or nil for every port.
    public var port: Int?
    /// The name or address to connect to; an IPv6 address without brackets.
    public var address: String
    /// The port to connect to, or nil for the URL's.
    public var addressPort: Int?

    /// Makes an override.
    public init(host: String?, port: Int? = nil, address: String, addressPort: Int? = nil) {
        self.host = host
        self.port = port
        self.address = address
        self.addressPort = addressPort
    }
}
