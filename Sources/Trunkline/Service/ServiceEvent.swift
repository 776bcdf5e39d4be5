/// What a service tells its app: that somebody has to log in.
public enum ServiceEvent: Sendable {
    /// A load ended with `.tokenError`.
    case tokenInvalid(FailedLoad)
    /// A load ended with `.needLogin`.
    case needLogin(FailedLoad)

    /// A load that waits for a log-in.
    public struct FailedLoad: Sendable {
        /// The load.
        public let requestID: RequestID
        /// What went wrong.
        public let error: APIError
        /// The manager, while it lives.
        public internal(set) weak var manager: BaseAPIManager?
    }

    /// The load that failed.
    public var load: FailedLoad {
        switch self {
        case .tokenInvalid(let load), .needLogin(let load): load
        }
    }
}
