import Foundation

/// What is stored of an entry.
struct OutboxRecord: Codable, Hashable, Sendable {
    /// A header field.
    struct Field: Codable, Hashable, Sendable {
        var name: String
        var value: String
    }

    /// A body in a file of its own.
    struct BodyFile: Codable, Hashable, Sendable {
        var length: Int64
        var checksum: UInt64
    }

    /// The place in the outbox; also the file's name, so that a renamed file is noticed.
    var sequence: UInt64
    var id: UUID
    var lane: String
    var method: String
    var url: String
    var service: String?
    var fields: [Field]
    var key: String
    /// Seconds since the reference date.
    var created: Double
    /// The length of the body that follows the record; nil for none or one in a file.
    var inlineBody: Int64?
    var bodyFile: BodyFile?

    func entry(attempts: Int) -> OutboxEntry {
        OutboxEntry(
            ticket: OutboxTicket(id: id, lane: lane), method: HTTPMethod(rawValue: method), url: url,
            service: service.map(ServiceIdentifier.init(rawValue:)),
            headers: HTTPHeaders(fields.map { HTTPHeaders.Field($0.name, $0.value) }), idempotencyKey: key,
            created: Date(timeIntervalSinceReferenceDate: created), bodyLength: inlineBody ?? bodyFile?.length,
            attempts: attempts, state: .waiting)
    }
}
