/// How one load ended.
struct APILoadResult {
    let id: RequestID
    var error: APIError?
    var response: APIResponse?
    /// The user's message; starts as the error's and may be changed by the subclass.
    var message: String

    init(id: RequestID, error: APIError? = nil, response: APIResponse? = nil) {
        self.id = id
        self.error = error
        self.response = response
        message = error?.message ?? ""
    }
}
