import Foundation

/// One exchange: a request as it was sent, and what came of it. A redirect's hop, a retry and a replay have each an
/// entry of their own; those of one logical request have the same ``requestID``.
public struct HAREntry: Hashable, Sendable, Codable {
    /// When it began, in ISO 8601 with the time zone: `2026-11-30T14:05:09.123Z`.
    public var startedDateTime: String
    /// How long it took, in milliseconds: the sum of the timings that are known.
    public var time: Double
    /// What was sent.
    public var request: HARRequest
    /// What came; of status 0 where there was no answer.
    public var response: HARResponse
    /// The cache's part in it.
    public var cache: HARCache
    /// Where the time went.
    public var timings: HARTimings
    /// The server's address, where it is known.
    public var serverIPAddress: String?
    /// The server's port, where it is known.
    public var connection: String?
    /// Words of whoever wrote it.
    public var comment: String?
    /// `memory` or `disk` where the answer came from a cache without a request; the name browsers use.
    public var fromCache: String?
    /// The number of the logical request (``RequestID/value``); the library's own member.
    public var requestID: UInt64?
    /// The number of the attempt, from 1: retries and replays count it up; the library's own member.
    public var attempt: Int?
    /// The `traceparent` that was sent; the library's own member.
    public var traceParent: String?

    /// Makes an entry.
    public init(
        startedDateTime: String, time: Double, request: HARRequest, response: HARResponse, cache: HARCache = HARCache(),
        timings: HARTimings = HARTimings(), serverIPAddress: String? = nil, connection: String? = nil,
        comment: String? = nil, fromCache: String? = nil, requestID: UInt64? = nil, attempt: Int? = nil,
        traceParent: String? = nil
    ) {
        self.startedDateTime = startedDateTime
        self.time = time
        self.request = request
        self.response = response
        self.cache = cache
        self.timings = timings
        self.serverIPAddress = serverIPAddress
        self.connection = connection
        self.comment = comment
        self.fromCache = fromCache
        self.requestID = requestID
        self.attempt = attempt
        self.traceParent = traceParent
    }

    /// The names in the file; those with an underscore are not of the format, which allows them.
    enum CodingKeys: String, CodingKey {
        case startedDateTime, time, request, response, cache, timings, serverIPAddress, connection, comment
        case fromCache = "_fromCache"
        case requestID = "_requestID"
        case attempt = "_attempt"
        case traceParent = "_traceparent"
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        startedDateTime = try values.decodeIfPresent(String.self, forKey: .startedDateTime) ?? ""
        time = try values.decodeIfPresent(Double.self, forKey: .time) ?? 0
        request = try values.decode(HARRequest.self, forKey: .request)
        response = try values.decode(HARResponse.self, forKey: .response)
        cache = (try? values.decodeIfPresent(HARCache.self, forKey: .cache)) ?? HARCache()
        timings = (try? values.decodeIfPresent(HARTimings.self, forKey: .timings)) ?? HARTimings()
        serverIPAddress = try values.decodeIfPresent(String.self, forKey: .serverIPAddress)
        // Other tools write what they like into these.
        connection = try? values.decodeIfPresent(String.self, forKey: .connection)
        comment = try? values.decodeIfPresent(String.self, forKey: .comment)
        fromCache = try? values.decodeIfPresent(String.self, forKey: .fromCache)
        requestID = try? values.decodeIfPresent(UInt64.self, forKey: .requestID)
        attempt = try? values.decodeIfPresent(Int.self, forKey: .attempt)
        traceParent = try? values.decodeIfPresent(String.self, forKey: .traceParent)
    }

    /// ``startedDateTime`` as a date; nil when it can't be read.
    public var startedAt: Date? { HARDate.parse(startedDateTime) }
}
