/// Supplies the credentials of a client's requests.
///
/// Asked before each request that needs authentication, and awaited: it may read a store, refresh an expired token or show
/// a log-in screen. A provider that must not refresh twice at once is best an actor that keeps its refresh task.
public protocol AuthTokenProvider: Sendable {
    /// The header fields that carry the token, all of which are sent: `[.bearer(token)]`.
    ///
    /// - Throws: why there is none. The request then ends with ``NetworkError/tokenUnavailable(_:)``, and nothing is sent.
    ///   When the request is cancelled meanwhile, the task that waits here is too, and the request ends at once. No time
    ///   limit of the request runs yet.
    func requestAuthToken() async throws -> HTTPHeaders
}
