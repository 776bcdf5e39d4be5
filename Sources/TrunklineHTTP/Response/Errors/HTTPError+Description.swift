import Foundation

extension HTTPError: CustomStringConvertible, LocalizedError {
    /// What went wrong, for a developer. Header values and bodies are left out, and what looks like a secret in the words of
    /// others is masked (``Redaction/standard``).
    public var description: String { Redaction.standard.text(words) }

    private var words: String {
        switch self {
        case .cancelled: "The request was cancelled."
        case .sessionInvalidated:
            "The session was invalidated or released. Make a SessionManager and keep it while requests run."
        case .invalidRequest(let failure): failure.description
        case .timedOut(let phase): "The request timed out (\(phase.rawValue) limit)."
        case .offline: "There is no network connection."
        case .nameResolution(let host): "The host name \"\(host)\" could not be resolved."
        case .connectionFailed(let reason): "No connection could be made: \(reason)."
        case .connectionLost(let loss): "The connection was lost: \(loss.reason)."
        case .tls(let failure): "The secure connection failed (\(failure.reason.rawValue)): \(failure.detail)."
        case .invalidResponse(let reason): "The server's answer is not valid HTTP: \(reason)."
        case .tooManyRedirects(let limit, _): "More than \(limit) redirects."
        case .invalidRedirect(let reason, _): "The redirect can't be followed: \(reason)."
        case .bodyNotReplayable(let reason):
            "The body can be read only once and was needed again: \(reason). Give a file, data or a stream factory."
        case .validation(let failure): failure.description
        case .emptyResponse(let response): "The response (status \(response.statusCode)) has no content."
        case .decoding(let failure): failure.description
        case .notInCache: "The cache has no answer for this request, and the policy forbids asking the server."
        case .file(let failure): failure.description
        case .unsupported(let feature, let platform): "\(feature) is not supported on \(platform)."
        case .custom(let error): String(describing: error)
        case .authentication(let failure): failure.description
        case .webSocket(let failure): failure.description
        case .transfer(let failure): failure.description
        case .circuitOpen(let host, .zero):
            "The circuit of \(host) is open: it failed too often, and is being probed. Try again later."
        case .circuitOpen(let host, let wait):
            "The circuit of \(host) is open: it failed too often. It will be probed again in \(wait)."
        case .rateLimited(let host, let wait):
            "The session's rate limit would have the request to \(host) wait for \(wait), longer than it allows."
        }
    }

    /// The same text as ``description``.
    public var errorDescription: String? { description }
}
