extension HTTPRequest {
    /// Announces the body's own media type where no header names one: the weakest source in the order encoder, session,
    /// service, endpoint, interceptor. A request with a body always carries a type, since some transports add a wrong
    /// one of their own otherwise.
    mutating func applyBodyContentType() {
        guard let body else { return }
        headers.setDefault("Content-Type", body.contentType ?? "application/octet-stream")
    }
}
