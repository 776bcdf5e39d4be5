import Foundation

/// What a ``LoopbackServer`` answers.
///
/// ```swift
/// server.route(.get, "/books/{id}") { request in .json(["id": request["id"] ?? ""]) }
/// server.route(.delete, "/books/{id}", respond: .status(204))
/// server.route(.get, "/slow", respond: .text("late").delayed(by: .seconds(2)))
/// ```
///
/// `Content-Length`, `Transfer-Encoding` and `Connection` are set by the server as the body and the connection need
/// them; a `Content-Length` or `Connection` in ``headers`` is sent as it is, so that a server can be made to lie.
/// Answers to `HEAD` have the head that `GET` would have and no body; answers of status 1xx, 204 and 304 have neither
/// body nor length (RFC 9110, section 6.4.1).
public struct LoopbackResponse: Sendable {
    /// The status code.
    public var status: Int
    /// The reason phrase; nil for the usual one.
    public var reason: String?
    /// The header fields, sent in order and spelt as they are here.
    public var headers: HTTPHeaders
    /// The content.
    public var body: LoopbackBody
    /// How long to wait before the head is sent.
    public var delay: Duration?
    /// A gate that holds the answer; it is waited for before ``delay``.
    public var gate: LoopbackGate?
    /// How many bytes of the body are sent in a second at most; nil for no limit.
    public var bytesPerSecond: Int?
    /// Whether the connection is closed after the answer, with `Connection: close`.
    public var closesConnection = false

    /// Makes a response from its parts.
    public init(status: Int = 200, reason: String? = nil, headers: HTTPHeaders = [:], body: LoopbackBody = .none) {
        self.status = status
        self.reason = reason
        self.headers = headers
        self.body = body
    }
}

extension LoopbackResponse {
    /// A status without content.
    public static func status(_ status: Int, reason: String? = nil, headers: HTTPHeaders = [:]) -> LoopbackResponse {
        LoopbackResponse(status: status, reason: reason, headers: headers)
    }

    /// Text in UTF-8.
    public static func text(_ text: String, status: Int = 200, headers: HTTPHeaders = [:]) -> LoopbackResponse {
        .data(Data(text.utf8), contentType: "text/plain; charset=utf-8", status: status, headers: headers)
    }

    /// Text that is JSON already, sent as it is.
    public static func json(_ json: String, status: Int = 200, headers: HTTPHeaders = [:]) -> LoopbackResponse {
        .data(Data(json.utf8), contentType: "application/json", status: status, headers: headers)
    }

    /// A value as JSON, keys sorted, dates as ISO 8601. A value that cannot be encoded gives a 500 that says why.
    public static func json<Value: Encodable>(
        _ value: Value, status: Int = 200, headers: HTTPHeaders = [:]
    ) -> LoopbackResponse {
        do {
            let data = try JSONEncoder.answers.encode(value)
            return .data(data, contentType: "application/json", status: status, headers: headers)
        } catch {
            return .text("The answer could not be encoded as JSON: \(error)", status: 500)
        }
    }

    /// Bytes; the content type is left out when nil.
    public static func data(
        _ data: Data, contentType: String? = "application/octet-stream", status: Int = 200, headers: HTTPHeaders = [:]
    ) -> LoopbackResponse {
        var headers = headers
        if let contentType { headers.setDefault("Content-Type", contentType) }
        return LoopbackResponse(status: status, headers: headers, body: .data(data))
    }

    /// Chunks, framed one by one, with a pause before every one but the first when `interval` is given.
    public static func chunked(
        _ chunks: [Data], trailers: HTTPHeaders = [:], every interval: Duration? = nil, status: Int = 200,
        headers: HTTPHeaders = [:]
    ) -> LoopbackResponse {
        LoopbackResponse(
            status: status, headers: headers, body: .chunked(chunks, trailers: trailers, every: interval))
    }

    /// Pieces of text as chunks, with a pause before every one but the first when `interval` is given.
    public static func chunked(
        _ chunks: [String], trailers: HTTPHeaders = [:], every interval: Duration? = nil, status: Int = 200,
        headers: HTTPHeaders = [:]
    ) -> LoopbackResponse {
        chunked(
            chunks.map { Data($0.utf8) }, trailers: trailers, every: interval, status: status, headers: headers)
    }

    /// So many bytes of the pattern of `seed`, never held in memory.
    public static func generated(
        count: Int64, seed: UInt64 = 0, status: Int = 200, headers: HTTPHeaders = [:]
    ) -> LoopbackResponse {
        LoopbackResponse(
            status: status, headers: headers, body: .generated(LoopbackPattern(seed: seed), count: max(0, count)))
    }

    /// A redirect to `location`, which is sent as it is.
    public static func redirect(to location: String, status: Int = 302) -> LoopbackResponse {
        LoopbackResponse(status: status, headers: ["Location": location])
    }

    /// A head, after which the connection belongs to the handler; see ``LoopbackPipe``. No framing field is added.
    public static func pipe(
        status: Int = 200, headers: HTTPHeaders = [:],
        _ handler: @escaping @Sendable (LoopbackPipe) async throws -> Void
    ) -> LoopbackResponse {
        LoopbackResponse(status: status, headers: headers, body: .pipe(handler))
    }

    /// A script in place of a response; the connection is kept afterwards unless a step closes it.
    public static func raw(_ steps: [ScriptStep]) -> LoopbackResponse {
        LoopbackResponse(body: .raw(steps))
    }
}

extension LoopbackResponse {
    /// The same answer, sent after a wait.
    public func delayed(by delay: Duration) -> LoopbackResponse { changed { $0.delay = delay } }

    /// The same answer, held by a gate.
    public func held(by gate: LoopbackGate) -> LoopbackResponse { changed { $0.gate = gate } }

    /// The same answer with its body sent no faster than this.
    public func throttled(bytesPerSecond: Int) -> LoopbackResponse { changed { $0.bytesPerSecond = bytesPerSecond } }

    /// The same answer with the connection closed after it.
    public func closing() -> LoopbackResponse { changed { $0.closesConnection = true } }

    /// The same answer with a header field set, in place of any of that name.
    public func header(_ name: String, _ value: String) -> LoopbackResponse { changed { $0.headers.set(name, value) } }

    /// The same answer with a header field added, as `Set-Cookie` needs.
    public func addingHeader(_ name: String, _ value: String) -> LoopbackResponse {
        changed { $0.headers.add(name, value) }
    }

    private func changed(_ change: (inout LoopbackResponse) -> Void) -> LoopbackResponse {
        var copy = self
        change(&copy)
        return copy
    }
}
