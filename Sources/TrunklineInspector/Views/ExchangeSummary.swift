import Foundation
import TrunklineHTTP

/// A row of the page's list. Times are milliseconds: ``start`` from the inspector's own start, the rest from ``start``.
struct ExchangeSummary: Sendable, Encodable {
    enum State: String, Sendable, Encodable {
        case active, done, failed, cancelled
    }

    let id: UInt64
    let method: String
    let scheme: String
    let host: String
    let path: String
    let state: State
    let status: Int?
    let error: String?
    /// Milliseconds since 1970.
    let date: Double
    let start: Double
    let duration: Double?
    let size: Int64
    let type: String
    let cache: String?
    let attempts: Int
    let retries: Int
    let redirects: Int
    let isCoalesced: Bool
    let phases: [Phase]

    init(_ record: ExchangeRecord, epoch: ContinuousClock.Instant, redaction: Redaction) {
        id = record.id.value
        let request = record.request ?? record.attempts.first?.request
        method = request?.method.rawValue ?? ""
        let address = ExchangeSummary.split(request.map { redaction.url($0.url) } ?? "")
        (scheme, host, path) = address
        let last = record.attempts.last
        let response = record.answer ?? last?.end?.response ?? last?.head
        switch record.end {
        case nil: state = .active
        case let end?: state = end.failure.map { $0.isCancellation ? .cancelled : .failed } ?? .done
        }
        status = record.end?.status ?? response?.statusCode
        error = record.end?.failure?.text
        date = (record.date.timeIntervalSince1970 * 1000).rounded()
        start = Phase.milliseconds(record.start - epoch)
        duration = record.end.map { Phase.milliseconds($0.time - record.start) }
        size = record.answer.map { Int64($0.data.count) } ?? last?.end?.contentBytes ?? 0
        let content = response?.headers["Content-Type"] ?? ""
        type = MediaType(content)?.essence ?? content
        cache = record.cache?.name
        attempts = record.attemptCount
        retries = record.retries
        redirects = record.redirects
        isCoalesced = record.isCoalesced
        phases = Phase.all(of: record)
    }

    /// The text of a URL in three parts, whether it is a good one or not.
    static func split(_ url: String) -> (scheme: String, host: String, path: String) {
        guard let mark = url.range(of: "://") else { return ("", "", url) }
        let rest = url[mark.upperBound...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
        return (String(url[..<mark.lowerBound]), String(rest[..<end]), String(rest[end...]))
    }
}
