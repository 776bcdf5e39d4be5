/// The transport of a session that names none.
enum DefaultTransport {
    static func make() -> any Transport { URLSessionTransport() }
}
