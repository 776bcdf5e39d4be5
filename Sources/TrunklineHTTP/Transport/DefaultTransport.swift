/// The transport of a session that names none: the system's `URLSession` on Apple platforms; elsewhere libcurl, and
/// `URLSession` only where no usable libcurl is found.
enum DefaultTransport {
    static func make() -> any Transport {
        #if canImport(Darwin)
            return URLSessionTransport()
        #else
            do {
                return try CurlTransport()
            } catch {
                return URLSessionTransport()
            }
        #endif
    }
}
