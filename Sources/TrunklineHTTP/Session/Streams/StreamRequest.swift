import Foundation

/// A request whose response is read while it arrives: as chunks, bytes, lines or values.
///
/// ```swift
/// for try await line in session.stream(.get(url)).lines { print(line) }
/// ```
///
/// - The content is pulled: nothing is read from the server beyond what a transport keeps (about 1 MB in the libcurl
///   transport) until the consumer asks, and a slow consumer slows the server down, where the transport has
///   ``TransportCapabilities/Features/backpressure``.
/// - One consumer: the first of ``chunks``, ``bytes``, ``lines``, ``values(of:decoder:invalidLines:maximumLineLength:)`` or
///   a chunk handler that begins to read. A second one gets ``HTTPError/unsupported(feature:platform:)``.
/// - Ends exactly once. Content that was cut short ends with ``HTTPError/connectionLost(_:)`` after what had arrived,
///   never as if it were whole. A response that is refused (see ``ResponseValidation``) ends with
///   ``HTTPError/validation(_:)``, with up to 1 MB of its content attached.
/// - The transfer is cancelled when the consumer stops early: it leaves its loop, its iterator is released, or its task
///   is cancelled. A stream that nobody reads is cancelled when its last reference goes.
/// - ``Timeouts/total`` counts up to the last byte; ``Timeouts/idle`` doesn't count the time the consumer takes.
///
/// All members may be used from any thread.
public final class StreamRequest: Sendable {
    let request: DataRequest
    let body: StreamBody

    init(request: DataRequest, body: StreamBody) {
        self.request = request
        self.body = body
    }

    deinit {
        // Nobody can read on.
        if !body.channel.isClaimed { request.cancel() }
    }

    /// The library's identity for this request, the same through redirects and retries.
    public var id: RequestID { request.id }

    /// Words the request can be found and cancelled by.
    public var tags: Set<String> { request.tags }

    /// Where the request is in its life: finished once the last byte was read, or it failed.
    public var state: RequestState { request.state }

    /// Sends the request, or lets a suspended one go on; see ``DataRequest/resume()``.
    @discardableResult
    public func resume() -> Self {
        request.resume()
        return self
    }

    /// Holds the stream until ``resume()``: no more content is delivered; see ``DataRequest/suspend()``.
    @discardableResult
    public func suspend() -> Self {
        request.suspend()
        return self
    }

    /// Ends the request with ``HTTPError/cancelled``; without effect on one that has ended. May be called any number of
    /// times, also before the request was sent, which then never is.
    public func cancel() { request.cancel() }

    /// Waits for the head of the response: status and header fields, after redirects, retries and validation. Its body is
    /// empty; the content comes from the stream. Any number of callers. Cancelling a waiting task cancels the request.
    ///
    /// - Throws: the ``HTTPError`` that ended the request before there was a head.
    public func head() async throws(HTTPError) -> HTTPResponse {
        let request = request
        return try await body.head.value { request.cancel() }
    }

    /// The trailer fields (RFC 9110, section 6.5), where the transport keeps them; empty before the end of the content.
    public var trailers: HTTPHeaders { body.trailers }

    /// The content in the pieces it arrives in, decoded; none is empty.
    public var chunks: StreamChunks { StreamChunks(stream: self) }

    /// The content byte by byte.
    public var bytes: StreamBytes { StreamBytes(chunks: chunks) }

    /// The content as lines of UTF-8 text, each 1 MB at most; see ``StreamLines``.
    public var lines: StreamLines { lines() }

    /// The content as lines of UTF-8 text; see ``StreamLines``.
    ///
    /// - Parameter maximumLength: the most bytes of a line. A longer one ends the stream with
    ///   ``HTTPError/invalidResponse(reason:)``, before more of it is kept.
    public func lines(maximumLength: Int = StreamLines.defaultMaximumLength) -> StreamLines {
        StreamLines(chunks: chunks, maximumLength: maximumLength)
    }

    /// The content as JSON values, one a line (NDJSON, JSON Lines); see ``StreamValues``.
    ///
    /// - Parameters:
    ///   - type: the type of the values.
    ///   - decoder: the decoder to use.
    ///   - invalidLines: what happens to a line that is no such value; by default it ends the stream.
    ///   - maximumLineLength: the most bytes of a line.
    public func values<Value: Decodable & Sendable>(
        of type: Value.Type = Value.self, decoder: JSONDecoder = JSONDecoder(), invalidLines: InvalidLinePolicy = .fail,
        maximumLineLength: Int = StreamLines.defaultMaximumLength
    ) -> StreamValues<Value> {
        StreamValues(chunks: chunks, decoder: decoder, policy: invalidLines, maximumLength: maximumLineLength)
    }
}
