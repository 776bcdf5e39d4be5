extension Event.Kind {
    /// The case's name: for lists, filters and tests.
    public var name: String {
        switch self {
        case .created: "created"
        case .suspended: "suspended"
        case .resumed: "resumed"
        case .exchangeStarted: "exchangeStarted"
        case .exchangeEnded: "exchangeEnded"
        case .stageEntered: "stageEntered"
        case .stageLeft: "stageLeft"
        case .cache: "cache"
        case .coalesced: "coalesced"
        case .waitStarted: "waitStarted"
        case .waitEnded: "waitEnded"
        case .refreshStarted: "refreshStarted"
        case .refreshEnded: "refreshEnded"
        case .attemptStarted: "attemptStarted"
        case .bytes: "bytes"
        case .responseHead: "responseHead"
        case .metrics: "metrics"
        case .attemptEnded: "attemptEnded"
        case .redirected: "redirected"
        case .retryScheduled: "retryScheduled"
        case .spanEnded: "spanEnded"
        case .completed: "completed"
        }
    }
}
