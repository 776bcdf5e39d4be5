/// How one load ended.
struct APILoadResult {
    let id: RequestID
    var error: APIError?
    var response: APIResponse?

    init(id: RequestID, error: APIError? = nil, response: APIResponse? = nil) {
        self.id = id
        self.error = error
        self.response = response
    }

    /// The user's message: the error's own, so that whoever waits for the error reads what the subclass made of it.
    var message: String {
        get { error?.message ?? "" }
        set { error?.message = newValue }
    }
}
