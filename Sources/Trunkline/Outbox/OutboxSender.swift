import Foundation

/// Sends one attempt: what is not stored, the service's address, headers and credentials, is taken now.
struct OutboxSender: Sendable {
    let session: SessionManager
    let factory: ServiceFactory?

    func send(_ record: OutboxRecord, body: RequestBody?) async -> Result<HTTPResponse, OutboxFailure> {
        let call: (session: SessionManager, request: HTTPRequest, interceptors: [any Interceptor])
        do {
            call = try await self.call(record, body: body)
        } catch {
            // The entry was sound when it was enqueued: the service is not set up, or not yet.
            return .failure(.notReady(reason: "\(error)"))
        }
        do throws(HTTPError) {
            return .success(try await call.session.send(call.request, interceptors: call.interceptors))
        } catch {
            return .failure(.error(error))
        }
    }

    @MainActor
    private func call(
        _ record: OutboxRecord, body: RequestBody?
    ) throws -> (session: SessionManager, request: HTTPRequest, interceptors: [any Interceptor]) {
        var headers = HTTPHeaders(record.fields.map { HTTPHeaders.Field($0.name, $0.value) })
        // The outbox alone decides about further attempts, and keeps the order meanwhile.
        var options = RequestOptions(cache: .networkOnly, retry: .never)
        var session = session
        var interceptors: [any Interceptor] = []
        let url: URL
        if let name = record.service {
            let service = try (factory ?? .shared).service(for: ServiceIdentifier(rawValue: name))
            url = try URLBuilder.url(try service.urlGeneratingRule(record.url))
            let rule = service.rule(for: url)
            headers = service.extraHTTPHeaders(for: record.url).merging(rule.headers).merging(headers)
            options.timeouts = rule.timeouts ?? service.timeouts
            options.authentication = service.authentication
            session = service.session
            interceptors = service.interceptors
            options.signing = try service.currentSigner()
        } else {
            url = try URLBuilder.url(record.url)
        }
        headers.set("Idempotency-Key", record.key)
        let request = HTTPRequest(
            method: HTTPMethod(rawValue: record.method), url: url, headers: headers, body: body, options: options)
        return (session, request, interceptors)
    }
}
