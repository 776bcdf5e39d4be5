/// The transport of a session that names none.
public enum DefaultTransport {
    /// Makes the platform's transport: ``CurlTransport`` on Linux, where the system's libcurl can be opened, and
    /// ``URLSessionTransport`` everywhere else.
    public static func make() -> any Transport {
        #if os(Linux)
            if let transport = try? CurlTransport() { return transport }
        #endif
        return URLSessionTransport()
    }
}
