/// How a ``LoopbackServer`` treats every connection and request.
///
/// Options may be changed while the server runs; a change holds from the next request on.
public struct LoopbackOptions: Sendable {
    /// Whether every answer closes its connection, with `Connection: close`. `false` by default: connections are kept
    /// as HTTP/1.1 asks (RFC 9112, section 9.3).
    public var closesConnections = false

    /// Whether requests and received bytes are kept for ``LoopbackServer/requests`` and
    /// ``LoopbackServer/rawBytes(connection:)``. `true` by default; counters run in any case.
    public var recordsRequests = true

    /// How many requests are kept; the oldest go first. 10,000 by default.
    public var recordLimit = 10_000

    /// How many bytes of heads and bodies the kept requests may have together; the oldest go first. 256 MiB by default.
    public var recordedBytesLimit = 256 << 20

    /// How many received bytes are kept for each connection. 1 MiB by default, and at most 64 MiB in all.
    public var rawBytesLimit = 1 << 20

    /// Whether request bodies are counted and summed (``LoopbackRequest/bodyCount``,
    /// ``LoopbackRequest/bodyChecksum``) and not kept, for uploads larger than memory. `false` by default.
    public var discardsBodies = false

    /// The longest request head, in bytes; a longer one is answered with 431. 64 KiB by default.
    public var maximumHeadBytes = 64 << 10

    /// The longest request body that is kept, in bytes; a longer one is answered with 413. 256 MiB by default. It does
    /// not hold for discarded bodies.
    public var maximumBodyBytes: Int64 = 256 << 20

    /// What `Expect: 100-continue` gets. ``ExpectContinue/accept`` by default.
    public var expectContinue = ExpectContinue.accept

    /// How long a connection may be idle between requests before the server closes it; nil, the default, for ever.
    public var keepAliveTimeout: Duration?

    /// Whether a client that has closed its sending side still gets its answer. `false` by default: as HTTP clients do
    /// not half-close, the end of input means that the client is gone, and the request is cancelled at once.
    public var allowsHalfClose = false

    /// Makes the default options.
    public init() {}
}

/// What a request with `Expect: 100-continue` (RFC 9110, section 10.1.1) gets before its body.
public enum ExpectContinue: Sendable, Hashable {
    /// `100 Continue` at once.
    case accept
    /// Nothing: the client has to send its body of its own accord.
    case ignore
    /// `417 Expectation Failed`, and the connection is closed.
    case refuse
}
