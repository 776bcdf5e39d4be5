import Foundation

extension NetworkError: CustomStringConvertible, LocalizedError {
    /// What went wrong, for a log. Header values and bodies are left out.
    public var description: String {
        switch self {
        case .authentication(let response), .notFound(let response), .conflict(let response),
            .tooManyRequests(_, let response), .badRequest(let response), .server(let response),
            .redirect(let response), .unexpectedStatus(let response):
            "The server answered \(response.request.method) \(response.url.path) with status \(response.statusCode)."
        case .refused(let failure): failure.description
        case .noData(let response): HTTPError.emptyResponse(response).description
        case .undecodable(let failure): failure.description
        case .invalidRequest(let failure): failure.description
        case .tokenUnavailable(let error):
            "The token provider failed, and nothing was sent: \(Redaction.standard.text("\(error)"))"
        case .file(let failure): failure.description
        case .offline: HTTPError.offline.description
        case .timedOut(let phase): HTTPError.timedOut(phase).description
        case .cancelled: HTTPError.cancelled.description
        case .transport(let error): error.description
        case .other(let error): Redaction.standard.text(String(describing: error))
        }
    }

    /// A sentence for the user.
    public var errorDescription: String? {
        switch self {
        case .authentication(let response) where response.statusCode == 403: "You are not allowed to do this."
        case .authentication, .tokenUnavailable: "Please log in first."
        case .notFound: "This could not be found."
        case .conflict: "Someone else has changed this in the meantime."
        case .tooManyRequests(let wait?, _) where wait >= .seconds(1):
            "There were too many requests. Try again in \(wait.components.seconds) s."
        case .tooManyRequests: "There were too many requests. Please try again later."
        case .badRequest: "The server refused the request."
        case .server: "The server has a problem. Please try again later."
        case .redirect: "This has moved."
        case .unexpectedStatus, .refused, .undecodable: "The server's answer could not be read."
        case .noData: "The server's answer is empty."
        case .invalidRequest: "The request could not be made."
        case .file: "A file could not be used."
        case .offline: "You are offline. Check your connection and try again."
        case .timedOut: "The server took too long to answer. Please try again."
        case .cancelled: "The request was cancelled."
        case .transport: "The server could not be reached. Please try again."
        case .other: "Something went wrong. Please try again."
        }
    }
}
