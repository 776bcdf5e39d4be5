/// Which of the two answers of ``CachePolicy/cacheThenNetwork`` a request wants.
package enum CacheTurn: Hashable, Sendable {
    /// The stored one, and the server's where there is none.
    case either
    /// The stored one or none: nothing is sent, whatever the method.
    case stored
    /// The server's.
    case server
}
