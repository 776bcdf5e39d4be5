/// How an ``EventStream`` connects and reconnects.
public struct EventStreamOptions: Sendable {
    /// When a connection that ended is made again.
    public enum Reconnection: Hashable, Sendable {
        /// For requests that can be repeated: a safe method (GET, HEAD …). Others are sent once.
        case automatic
        /// Always; the body must be replayable.
        case always
        /// Never: the stream ends with its connection.
        case never
    }

    /// When a connection that ended is made again; by default for safe methods.
    public var reconnection: Reconnection
    /// The wait before a reconnection until the server sends another one (`retry`); by default 3 s.
    public var reconnectionTime: Duration
    /// The longest wait; by default 60 s. The wait doubles with every failure in a row, from the reconnection time up to
    /// this; a longer `retry` or `Retry-After` of the server is cut down to it.
    public var maximumReconnectionTime: Duration
    /// How many failures in a row end the stream with the last one's error; nil, the default, for no end. A response that
    /// was accepted starts the count anew.
    public var maximumFailures: Int?
    /// The last event ID to begin with, sent as `Last-Event-ID`; by default empty, and not sent.
    public var lastEventID: String
    /// The longest silence on an open stream, after which it is taken for lost; nil, the default, for no limit. Servers that
    /// send comments to keep the stream alive allow a short one.
    public var idleLimit: Duration?
    /// The most bytes of an event; by default 8 MB.
    public var maximumEventLength: Int
    /// Measures the waits between connections.
    public var clock: any Clock<Duration>

    /// Makes options; what is left out keeps its default.
    public init(
        reconnection: Reconnection = .automatic, reconnectionTime: Duration = .seconds(3),
        maximumReconnectionTime: Duration = .seconds(60), maximumFailures: Int? = nil, lastEventID: String = "",
        idleLimit: Duration? = nil, maximumEventLength: Int = EventSourceParser.defaultMaximumEventLength,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.reconnection = reconnection
        self.reconnectionTime = reconnectionTime
        self.maximumReconnectionTime = maximumReconnectionTime
        self.maximumFailures = maximumFailures
        self.lastEventID = lastEventID
        self.idleLimit = idleLimit
        self.maximumEventLength = maximumEventLength
        self.clock = clock
    }

    /// One connection, never made again: for APIs that answer a request with events.
    public static let once = EventStreamOptions(reconnection: .never)

    func reconnects(_ method: HTTPMethod) -> Bool {
        switch reconnection {
        case .automatic: method.isSafe
        case .always: true
        case .never: false
        }
    }
}
