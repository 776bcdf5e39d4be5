/// One request with a field that is always the same; a refusal stands.
struct FixedAttempt: AuthenticationAttempt {
    let field: HTTPHeaders.Field

    func apply(to request: inout HTTPRequest) { request.headers.set(field) }
}
