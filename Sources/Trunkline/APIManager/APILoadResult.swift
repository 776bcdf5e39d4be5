/// How one load ended.
struct APILoadResult: Sendable {
    let id: RequestID
    var error: APIError?
    var response: APIResponse?
    /// The value a typed manager has decoded.
    var value: (any Sendable)?

    init(id: RequestID, error: APIError? = nil, response: APIResponse? = nil, value: (any Sendable)? = nil) {
        self.id = id
        self.error = error
        self.response = response
        self.value = value
    }

    /// The user's message: the error's own, so that whoever waits for the error reads what the subclass made of it.
    var message: String {
        get { error?.message ?? "" }
        set { error?.message = newValue }
    }

    /// The same for those who wait.
    var outcome: Result<APIResponse, APIError> {
        guard error == nil, let response else { return .failure(error ?? .cancelled) }
        return .success(response)
    }

    /// The same for those who watch.
    var state: APILoadState {
        switch outcome {
        case .success(let response): .succeeded(response)
        case .failure(let error): .failed(id, error)
        }
    }
}
