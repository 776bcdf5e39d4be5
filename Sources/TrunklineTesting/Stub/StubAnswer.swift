import Foundation
import TrunklineHTTP

/// What a ``Stub`` answers with.
///
/// ```swift
/// .json(#"{"title": "Emma"}"#)
/// .status(503).delayed(by: .seconds(2))
/// .data(picture, contentType: "image/png").throttled(bytesPerSecond: 10_000).dropped(afterBytes: 5_000)
/// .failure(.timedOut(.idle))
/// ```
///
/// Delays and rates run on the transport's clock. A pause longer than the request's `Timeouts.idle` ends it with
/// `HTTPError.timedOut(_:)`, as a real transport does. `Content-Length` is set unless the answer has its own, is chunked
/// or coded; answers to `HEAD` and of status 1xx, 204 and 304 have no content.
public struct StubAnswer: Sendable {
    enum Outcome: Sendable {
        case response
        case failure(@Sendable (StubRequest) -> any Error)
        case hang
        case handler(@Sendable (StubRequest) async throws -> StubAnswer)
    }

    /// The status code.
    public var status = 200
    /// The header fields.
    public var headers: HTTPHeaders = [:]
    /// The content.
    public var body = Data()
    /// The trailer fields.
    public var trailers: HTTPHeaders = [:]
    var outcome = Outcome.response
    var delay = Duration.zero
    var bytesPerSecond: Int?
    var chunkSize: Int?
    var chunkLengths: [Int] = []
    var chunkInterval = Duration.zero
    var dropsAfter: Int?

    init(_ outcome: Outcome) { self.outcome = outcome }

    /// Makes an answer from its parts.
    public init(status: Int = 200, headers: HTTPHeaders = [:], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

extension StubAnswer {
    /// A status without content.
    public static func status(_ status: Int, headers: HTTPHeaders = [:]) -> StubAnswer {
        StubAnswer(status: status, headers: headers)
    }

    /// Bytes; the content type is left out when nil.
    public static func data(
        _ data: Data, contentType: String? = "application/octet-stream", status: Int = 200, headers: HTTPHeaders = [:]
    ) -> StubAnswer {
        var headers = headers
        if let contentType { headers.setDefault("Content-Type", contentType) }
        return StubAnswer(status: status, headers: headers, body: data)
    }

    /// Text in UTF-8.
    public static func text(_ text: String, status: Int = 200, headers: HTTPHeaders = [:]) -> StubAnswer {
        .data(Data(text.utf8), contentType: "text/plain; charset=utf-8", status: status, headers: headers)
    }

    /// Text that is JSON already, sent as it is.
    public static func json(_ json: String, status: Int = 200, headers: HTTPHeaders = [:]) -> StubAnswer {
        .data(Data(json.utf8), contentType: "application/json", status: status, headers: headers)
    }

    /// A value as JSON, keys sorted, dates as ISO 8601. A value that can't be encoded fails the request with
    /// ``StubError/answer(reason:)``.
    public static func json<Value: Encodable>(
        _ value: Value, status: Int = 200, headers: HTTPHeaders = [:]
    ) -> StubAnswer {
        do {
            let data = try JSONEncoder.answers.encode(value)
            return .data(data, contentType: "application/json", status: status, headers: headers)
        } catch {
            return .error(StubError.answer(reason: "a \(Value.self) can't be encoded as JSON: \(error)"))
        }
    }

    /// A redirect to `location`, which is sent as it is.
    public static func redirect(to location: String, status: Int = 302) -> StubAnswer {
        StubAnswer(status: status, headers: ["Location": location])
    }

    /// No response: the request fails as it would on a real transport.
    public static func failure(_ failure: StubFailure) -> StubAnswer {
        StubAnswer(.failure { failure.error(for: $0.url) })
    }

    /// No response: the request fails with this error.
    public static func error(_ error: any Error) -> StubAnswer { StubAnswer(.failure { _ in error }) }

    /// No response at all: the request waits until its idle limit runs out or it is cancelled.
    public static var never: StubAnswer { StubAnswer(.hang) }

    /// An answer made from the request. Runs in the request's task, so it is cancelled with it; a thrown error fails the
    /// request.
    public static func answer(
        _ handler: @escaping @Sendable (StubRequest) async throws -> StubAnswer
    ) -> StubAnswer { StubAnswer(.handler(handler)) }
}

extension StubAnswer {
    /// The same answer after a wait; waits add up.
    public func delayed(by delay: Duration) -> StubAnswer { changed { $0.delay += delay } }

    /// The same answer with its content at this rate; at least 1.
    public func throttled(bytesPerSecond: Int) -> StubAnswer { changed { $0.bytesPerSecond = max(1, bytesPerSecond) } }

    /// The same answer with its content in chunks of so many bytes (at least 1), and no `Content-Length`.
    ///
    /// - Parameters:
    ///   - size: the bytes of a chunk.
    ///   - interval: the pause before every chunk but the first; none by default.
    public func chunked(every size: Int, interval: Duration = .zero) -> StubAnswer {
        changed { answer in
            answer.chunkSize = max(1, size)
            answer.chunkLengths = []
            answer.chunkInterval = interval
        }
    }

    /// An answer whose content is these chunks, one after the other, without `Content-Length`.
    ///
    /// - Parameters:
    ///   - chunks: the chunks.
    ///   - contentType: the media type; left out when nil.
    ///   - interval: the pause before every chunk but the first; none by default.
    ///   - status: the status code.
    ///   - headers: the header fields.
    public static func chunks(
        _ chunks: [Data], contentType: String? = nil, interval: Duration = .zero, status: Int = 200,
        headers: HTTPHeaders = [:]
    ) -> StubAnswer {
        let body = chunks.reduce(into: Data()) { $0.append($1) }
        return StubAnswer.data(body, contentType: contentType, status: status, headers: headers).changed { answer in
            answer.chunkLengths = chunks.map(\.count)
            answer.chunkInterval = interval
        }
    }

    /// The same answer, the connection lost after so many bytes of its content:
    /// `HTTPError.connectionLost(_:)` with `.duringBody`. With 0 only the head arrives.
    public func dropped(afterBytes count: Int) -> StubAnswer { changed { $0.dropsAfter = max(0, count) } }

    /// The same answer with a header field set, in place of any of that name.
    public func header(_ name: String, _ value: String) -> StubAnswer { changed { $0.headers.set(name, value) } }

    /// The same answer with a header field added, as `Set-Cookie` needs.
    public func addingHeader(_ name: String, _ value: String) -> StubAnswer { changed { $0.headers.add(name, value) } }

    /// The same answer with these trailer fields.
    public func trailers(_ trailers: HTTPHeaders) -> StubAnswer { changed { $0.trailers = trailers } }

    private func changed(_ change: (inout StubAnswer) -> Void) -> StubAnswer {
        var copy = self
        change(&copy)
        return copy
    }
}
