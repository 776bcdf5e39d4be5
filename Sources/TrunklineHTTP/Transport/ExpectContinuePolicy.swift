/// When a request with a body asks the server first, with `Expect: 100-continue` (RFC 9110, section 10.1.1). The body
/// follows at the server's word, or after one second without it.
public enum ExpectContinuePolicy: Hashable, Sendable {
    /// Never; a request that sets the field itself still does.
    case never
    /// For bodies of at least this many bytes, and those of unknown length.
    case forBodies(ofAtLeast: Int64)
}
