/// Where a manager's loads are, as ``BaseAPIManager/states`` tells it.
public enum APILoadState: Sendable {
    /// Nothing has been loaded yet.
    case idle
    /// A load was made.
    case loading(RequestID)
    /// A load succeeded.
    case succeeded(APIResponse)
    /// A load failed, or was refused before it was made.
    case failed(RequestID, APIError)

    /// The load this is about.
    public var requestID: RequestID? {
        switch self {
        case .idle: nil
        case .loading(let id), .failed(let id, _): id
        case .succeeded(let response): response.requestID
        }
    }
}
