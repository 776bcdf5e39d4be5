import Foundation

/// Takes a request apart into what is stored of it.
struct OutboxDraft: Sendable {
    var method: HTTPMethod
    var url: String
    var service: ServiceIdentifier?
    var headers: HTTPHeaders
    var key: String
    var body: RequestBody?

    /// What a path is joined to while it is taken apart; never sent to.
    private static let placeholder = "http://outbox.invalid"

    init(
        _ request: some RequestConvertible, credentials: Set<String>
    ) throws(OutboxError) {
        try self.init(Self.built { () throws(HTTPError) in try request.makeRequest() }, credentials: credentials)
    }

    /// A path below a service's address.
    init(
        _ endpoint: Endpoint, service: ServiceIdentifier, credentials: Set<String>
    ) throws(OutboxError) {
        guard endpoint.base == nil, let placeholder = URL(string: Self.placeholder) else {
            throw .request(reason: "the endpoint has a base, and the service's is to be used. Leave one of them out.")
        }
        var endpoint = endpoint
        endpoint.base = placeholder
        endpoint.allowsAbsoluteURL = false
        let described = endpoint
        try self.init(Self.built { () throws(HTTPError) in try described.makeRequest() }, credentials: credentials)
        guard url.hasPrefix(Self.placeholder) else { throw .request(reason: "the URL is not a path: \(url)") }
        url = String(url.dropFirst(Self.placeholder.count))
        self.service = service
    }

    private init(_ request: HTTPRequest, credentials: Set<String>) throws(OutboxError) {
        var headers = request.headers
        for field in headers {
            if credentials.contains(where: { $0.caseInsensitiveCompare(field.name) == .orderedSame }) {
                throw .credentials(field: field.name)
            }
        }
        guard request.url.user == nil, request.url.password == nil else {
            throw .credentials(field: "user information in the URL")
        }
        if let type = request.body?.contentType { headers.setDefault("Content-Type", type) }
        // An app that made a key of its own meant it.
        key = headers["Idempotency-Key"] ?? UUID().uuidString
        headers.remove("Idempotency-Key")
        method = request.method
        url = request.url.absoluteString
        self.headers = headers
        body = request.body
    }

    private static func built(_ make: () throws(HTTPError) -> HTTPRequest) throws(OutboxError) -> HTTPRequest {
        do throws(HTTPError) {
            let request = try make()
            try request.validate()
            return request
        } catch {
            throw .request(reason: "\(error)")
        }
    }

    func record(sequence: UInt64, lane: String, now: Date) -> OutboxRecord {
        OutboxRecord(
            sequence: sequence, id: UUID(), lane: lane, method: method.rawValue, url: url, service: service?.rawValue,
            fields: headers.map { OutboxRecord.Field(name: $0.name, value: $0.value) }, key: key,
            created: now.timeIntervalSinceReferenceDate)
    }
}
