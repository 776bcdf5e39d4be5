import Foundation

/// Something that happened to a request; see ``EventMonitor``.
public struct Event: Sendable {
    /// The request it happened to.
    public let id: RequestID
    /// Its place among the events of its request: 1, 2, 3 …
    public let number: Int
    /// When it happened, for differences: never set back.
    public let time: ContinuousClock.Instant
    /// When it happened, by the wall clock.
    public let date: Date
    /// What happened.
    public let kind: Kind

    /// Makes an event: for tests of monitors.
    public init(
        id: RequestID, number: Int, time: ContinuousClock.Instant = .now, date: Date = Date(), kind: Kind
    ) {
        self.id = id
        self.number = number
        self.time = time
        self.date = date
        self.kind = kind
    }
}

extension Event {
    /// How something ended.
    public typealias Outcome = Result<HTTPResponse, HTTPError>

    /// What happened: the whole list.
    ///
    /// Requests and responses are as they are, credentials and all. What is shown to anybody goes through a ``Redaction``.
    public enum Kind: Sendable {
        /// The request was made; nil when it could not be resolved. The first event of every request.
        case created(HTTPRequest?)
        /// The caller holds the request.
        case suspended
        /// The caller lets the request go on.
        case resumed

        /// The request entered the pipeline. Once for a request; a resumable upload and an event stream come here for each
        /// of their requests.
        case exchangeStarted(HTTPRequest)
        /// The request left the pipeline: with what the stages made of the answer, before it is validated.
        case exchangeEnded(Outcome)

        /// A stage got the request; only where a monitor asks for ``EventDetails/stages``.
        case stageEntered(String)
        /// A stage passed its answer or its error on.
        case stageLeft(String, HTTPError?)

        /// What the cache decided or did.
        case cache(CacheEvent)
        /// The request shares the exchange of an identical one that is in flight, which hears the events of that exchange.
        case coalesced(with: RequestID)
        /// The request waits for its turn.
        case waitStarted(WaitReason)
        /// The wait is over; with the error where it ended the request.
        case waitEnded(WaitReason, HTTPError?)
        /// The request waits for a new credential: its own refresh, or the one another request began.
        case refreshStarted
        /// There is a new credential, or the error that kept it away.
        case refreshEnded(HTTPError?)

        /// A request is handed to the transport: as it goes out, credential included.
        case attemptStarted(Attempt)
        /// Bytes of a body moved; only where a monitor asks for ``EventDetails/bytes``.
        case bytes(Attempt, Direction, TransferProgress)
        /// The head of a response is there. Its body is empty here.
        case responseHead(Attempt, HTTPResponse)
        /// What the transport measured of the attempt; right before its end, where the transport measures.
        case metrics(Attempt, TransportMetrics)
        /// The attempt has ended: every one that started ends once, before ``completed(_:)``.
        case attemptEnded(Attempt, AttemptEnd)
        /// A redirect is followed.
        case redirected(Redirect)
        /// The request will be sent again.
        case retryScheduled(Retry)

        /// A span has ended; only with ``SessionConfiguration/tracing``.
        case spanEnded(TraceSpan)
        /// The request has its outcome: the last event of every request, exactly once. A stream's, when its content has
        /// ended; a WebSocket's, when it is closed.
        case completed(Outcome)
    }

    /// Which way bytes went.
    public enum Direction: Hashable, Sendable {
        /// To the server.
        case sent
        /// From the server.
        case received
    }

    /// What a request waits for.
    public enum WaitReason: String, Hashable, Sendable {
        /// A place under ``RequestLimits``.
        case queue
        /// Its turn under a ``RateLimit``.
        case rateLimit
        /// A network (``ConnectivityPolicy``).
        case connectivity
    }
}
