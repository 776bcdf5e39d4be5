/// One request on its way through the pipeline, with what the stages share about it.
public struct Exchange: Sendable {
    /// The logical request's identity; the same in every attempt.
    public let id: RequestID
    /// The request as the stages before left it.
    public var request: HTTPRequest
    /// The attempt, 1 for the first; retries and token replays count it up, redirects don't.
    public var attempt: Int
    /// The limits in force, the request's own or the session's.
    public var timeouts: Timeouts
    /// Hears the progress of both bodies, where somebody listens.
    public var progress: ProgressObserver?
    /// Closed while the caller holds the request.
    public var gate: TransferGate?
    /// What puts the credential on each request that goes out, once the authentication stage has begun.
    var credentials: ExchangeCredentials?
    /// The limit on the whole request, where there is one; rests while a stage lets the request wait for its turn.
    var timer: (any RequestTimer)?
    /// Tells of what happens, where somebody hears it or the request is traced.
    package var events: EventReporter?
    /// The span of the attempt, where the request is traced; one pointer, since most are not.
    var trace: Box<TraceContext>?

    /// Makes an exchange; the session does it, and tests that drive a stage or a transport by hand.
    public init(
        id: RequestID = .next(), request: HTTPRequest, attempt: Int = 1, timeouts: Timeouts = Timeouts(),
        progress: ProgressObserver? = nil, gate: TransferGate? = nil
    ) {
        self.id = id
        self.request = request
        self.attempt = attempt
        self.timeouts = timeouts
        self.progress = progress
        self.gate = gate
    }
}
