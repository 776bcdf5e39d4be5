extension HTTPRequest {
    /// Refuses content in a GET, HEAD or TRACE: it means nothing there (RFC 9110, section 9.3), and platforms drop it or
    /// fail each in their own way.
    func refuseBodyOfSafeMethod() throws(HTTPError) {
        guard body != nil, method == .get || method == .head || method == .trace else { return }
        throw .invalidRequest(
            .body(reason: "a \(method) carries no body; set the method to POST, PUT or PATCH, or use the query"))
    }
}
