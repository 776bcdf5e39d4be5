import Foundation
import TrunklineHTTP

/// Everything the page shows of one exchange.
struct ExchangeDetails: Sendable, Encodable {
    /// One request as it went out.
    struct Attempt: Sendable, Encodable {
        let number: Int
        let attempt: Int
        /// Milliseconds from the exchange's start.
        let start: Double
        let duration: Double?
        /// The URL as it may be shown.
        let url: String
        let request: HARRequest
        let response: HARResponse?
        let phases: [Phase]
        let remote: String?
        let spoken: String?
        let isReused: Bool?
        let sent: Int64?
        let received: Int64?
        let curl: String
    }

    let summary: ExchangeSummary
    let url: String
    let timeline: [TimelineItem]
    let droppedNotes: Int
    let attempts: [Attempt]
    /// The answer that no attempt brought.
    let answer: HARResponse?
    /// Where it came from.
    let answerSource: String?
    /// What was to be sent, where there is no attempt.
    let request: HARRequest?
    let curl: String?
}
