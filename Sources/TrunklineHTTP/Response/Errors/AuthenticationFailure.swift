/// Why a request has no usable credential.
public struct AuthenticationFailure: Error, Sendable {
    /// What went wrong.
    public enum Reason: Hashable, Sendable {
        /// No credential was set.
        case noCredential
        /// The credential the request began with was withdrawn by a log-out. The request is not sent again as somebody
        /// else.
        case loggedOut
        /// The refresh was refused for good: the session is over. Requests fail with this until a new credential is set.
        case refreshRefused
        /// The refresh could not be made this time: no network, a time limit, a server in trouble. The credential is
        /// kept, and the next request that needs a refresh tries again.
        case refreshFailed
        /// More refreshes in a short time than ``RefreshLimits`` allow: new credentials are refused as soon as they are
        /// made.
        case tooManyRefreshes
        /// The credential can't be put on a request.
        case invalidCredential(String)
    }

    /// What went wrong.
    public var reason: Reason
    /// What the refresh failed with, where there was one; its own response is in there.
    public var underlying: (any Error)?
    /// The answer that refused the request's credential, the 401; nil where the request was not sent.
    public var response: HTTPResponse?

    /// Makes a failure.
    public init(reason: Reason, underlying: (any Error)? = nil, response: HTTPResponse? = nil) {
        self.reason = reason
        self.underlying = underlying
        self.response = response
    }

    /// Whether only a new log-in helps; false where the same request may succeed later.
    public var endsSession: Bool {
        switch reason {
        case .noCredential, .loggedOut, .refreshRefused, .invalidCredential: true
        case .refreshFailed, .tooManyRefreshes: false
        }
    }
}

extension AuthenticationFailure: CustomStringConvertible {
    /// What went wrong and what to do. Credentials are left out.
    public var description: String {
        switch reason {
        case .noCredential:
            "There is no credential. Set one, or send the request with the option authentication: .none."
        case .loggedOut: "The credential was withdrawn while the request ran."
        case .refreshRefused: "The credential's refresh was refused; log in again.\(cause)"
        case .refreshFailed: "The credential's refresh could not be made.\(cause)"
        case .tooManyRefreshes:
            "The credential was refreshed too often in a short time: the server refuses what its refresh gives out."
        case .invalidCredential(let reason): "The credential can't be put on a request: \(reason)."
        }
    }

    private var cause: String { underlying.map { " Cause: \(HTTPError($0).description)" } ?? "" }
}
