import Foundation

/// A stored answer: everything that is needed to give it again and to judge how old it is.
public struct CachedResponse: Hashable, Sendable {
    /// The status code.
    public var statusCode: Int { didSet { memo = FreshnessMemo() } }
    /// Every header line, in order.
    public var headers: HTTPHeaders { didSet { memo = FreshnessMemo() } }
    /// The content, byte for byte as it was received.
    public var body: CachedBody
    /// The method of the request that was answered.
    public var requestMethod: HTTPMethod
    /// The URL that was asked for.
    public var requestURL: URL
    /// The request's header lines that the answer's `Vary` names (RFC 9111, section 4.1); credentials as a digest.
    public var requestHeaders: HTTPHeaders
    /// The URL that answered, after redirects.
    public var url: URL
    /// When the request was sent, by the wall clock.
    public var requestedAt: Date { didSet { memo = FreshnessMemo() } }
    /// When the answer was stored, by the wall clock.
    public var storedAt: Date { didSet { memo = FreshnessMemo() } }
    private var memo = FreshnessMemo()

    /// Makes an entry from its parts.
    public init(
        statusCode: Int, headers: HTTPHeaders = [:], body: CachedBody = .empty, requestMethod: HTTPMethod = .get,
        requestURL: URL, requestHeaders: HTTPHeaders = [:], url: URL? = nil, requestedAt: Date? = nil, storedAt: Date
    ) {
        self.statusCode = statusCode
        self.headers = headers
        self.body = body
        self.requestMethod = requestMethod
        self.requestURL = requestURL
        self.requestHeaders = requestHeaders
        self.url = url ?? requestURL
        self.requestedAt = requestedAt ?? storedAt
        self.storedAt = storedAt
    }

    /// Makes an entry of an answer whose body is in memory; nil for a file or a stream.
    ///
    /// - Parameters:
    ///   - response: the answer.
    ///   - request: the request as the cache saw it, before the stages below changed it.
    ///   - requestedAt: when it was sent.
    ///   - storedAt: now.
    public init?(_ response: HTTPResponse, to request: HTTPRequest, requestedAt: Date, storedAt: Date) {
        guard case .data = response.body else { return nil }
        self.init(head: response, to: request, requestedAt: requestedAt, storedAt: storedAt)
    }

    /// Makes an entry of an answer, with its body where that is in memory, and without where it is a file or a stream: what
    /// ``ResponseCache/keep(_:as:for:ticket:partial:)`` wants. Parameters as in the initialiser for whole answers.
    public init(head response: HTTPResponse, to request: HTTPRequest, requestedAt: Date, storedAt: Date) {
        var body = CachedBody.empty
        if case .data(let data) = response.body { body = .data(data) }
        self.init(
            statusCode: response.statusCode, headers: response.headers, body: body, requestMethod: request.method,
            requestURL: request.url, requestHeaders: CacheRules.selectedHeaders(of: request, by: response.headers),
            url: response.url, requestedAt: requestedAt, storedAt: storedAt)
    }

    /// How long it is fresh by the server's word, worked out once for all copies.
    var freshness: Freshness {
        memo.value {
            Freshness(status: statusCode, headers: headers, requestedAt: requestedAt, arrivedAt: storedAt)
        }
    }

    /// How far ahead of the clock an entry may be and still count as new: clocks are corrected in small steps.
    public static let toleratedClockSkew: Duration = .seconds(60)

    /// The age at `now`, by the wall clock, so that it goes on while the device is off. Never negative: an entry from
    /// the future has age zero.
    public func age(at now: Date) -> Duration {
        let seconds = now.timeIntervalSince(storedAt)
        // The bound keeps the conversion to Duration from overflowing.
        return seconds > 0 ? .seconds(min(seconds, 1e12)) : .zero
    }

    /// Whether the entry is younger than `maxAge` at `now`. One that is more than ``toleratedClockSkew`` from the future
    /// is not: the clock was set back, and its age is unknown.
    public func isFresh(maxAge: Duration, at now: Date) -> Bool {
        let ahead = storedAt.timeIntervalSince(now)
        guard ahead <= CachedResponse.toleratedClockSkew.seconds else { return false }
        return age(at: now) < maxAge
    }

    /// The entry as the answer to `request`, its source ``ResponseSource/cache(age:)``, its content delivered as
    /// ``RequestOptions/delivery`` asks: in memory, as a stream of checked pieces, or copied into the file.
    ///
    /// Returns without a wait where both the content and the delivery are in memory, or a stream is asked for.
    ///
    /// - Throws: ``HTTPError/file(_:)`` when the content can't be read, has been damaged on the disk, or can't be written
    ///   into the file asked for. The entry is gone after damage: ask the server.
    public func response(to request: HTTPRequest, now: Date) async throws(HTTPError) -> HTTPResponse {
        var answered = request
        answered.url = url
        let content = try await body.delivered(request.options.delivery)
        return HTTPResponse(
            request: answered, statusCode: statusCode, headers: headers, body: content,
            source: .cache(age: age(at: now)))
    }

    /// What the entry takes in memory, in bytes, roughly: content, header lines and a fixed share for the rest.
    var cost: Int {
        var sum = 512
        if case .data(let data) = body { sum += data.count }
        for line in headers { sum += line.name.utf8.count + line.value.utf8.count + 64 }
        for line in requestHeaders { sum += line.name.utf8.count + line.value.utf8.count + 64 }
        return sum
    }
}
