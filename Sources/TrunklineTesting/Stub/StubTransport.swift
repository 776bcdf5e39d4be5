import Foundation
import TrunklineHTTP

/// A transport that answers from stubs or from a closure: the whole pipeline runs over it, and nothing touches the network.
///
/// ```swift
/// let stubs = StubTransport()
/// stubs.when(.get, "/items/{id}", answer: .json(#"{"title": "Emma"}"#))
/// stubs.when(.post, "/items", .json(containing: ["title": "Emma"]),
///     answers: [.status(503), .json(#"{"id": 7}"#, status: 201)], then: .fails)
/// let session = SessionManager(transport: stubs)
/// // …
/// try stubs.verify(.post, "/items", count: .exactly(2))
/// ```
///
/// Of the stubs that match a request, the one added last answers, so that a test can put an exception over a common rule. A
/// request that no stub answers fails with ``StubError/unmatched(_:)``, which names the nearest stub and what differs.
///
/// Request bodies are read to the end, streams and files too, with progress, before the request is matched. Answers are
/// delivered as data, file or stream, as the request asks. Cancelling ends a request at once.
///
/// A stub transport may serve several sessions; ``invalidate()`` does nothing. All members may be used from any thread.
public final class StubTransport: Transport {
    /// Answers an exchange. Runs in the request's task, so it is cancelled with it.
    public typealias Answer = @Sendable (Exchange) async throws -> HTTPResponse

    private struct State {
        /// The newest last.
        var stubs: [Stub] = []
        var requests: [HTTPRequest] = []
        var received: [StubRequest] = []
        var unmatched: [StubRequest] = []
        var count = 0
    }

    private let fallback: Answer?
    private let clock: any Clock<Duration>
    private let state = Protected(State())

    /// Makes a transport without stubs.
    ///
    /// - Parameter clock: what delays and rates run on.
    public init(clock: any Clock<Duration> = ContinuousClock()) {
        self.clock = clock
        fallback = nil
    }

    /// Makes a transport that answers with `answer` what no stub answers.
    ///
    /// - Parameters:
    ///   - clock: what delays and rates of stubs run on.
    ///   - answer: called for each request that no stub answers.
    public init(clock: any Clock<Duration> = ContinuousClock(), _ answer: @escaping Answer) {
        self.clock = clock
        fallback = answer
    }

    public var capabilities: TransportCapabilities { TransportCapabilities(name: "stub") }

    public func send(_ exchange: Exchange) async throws -> HTTPResponse {
        let (number, hasStubs) = state.withLock { state in
            state.requests.append(exchange.request)
            state.count += 1
            return (state.count, !state.stubs.isEmpty)
        }
        // A closure alone gets the exchange as it is, the body unread.
        if let fallback, !hasStubs { return try await fallback(exchange) }
        do {
            let response = try await answer(exchange, number)
            try Task.checkCancellation()
            return response
        } catch {
            throw HTTPError(error)
        }
    }

    private func answer(_ exchange: Exchange, _ number: Int) async throws -> HTTPResponse {
        let body = try await RequestBodyReader.read(exchange.request.body, progress: exchange.progress)
        let request = StubRequest(exchange: exchange, body: body, number: number)
        let stubs = state.withLock { state in
            state.received.append(request)
            return Array(state.stubs.reversed())
        }
        for stub in stubs where stub.mismatches(request).isEmpty {
            guard let (answer, taken) = try stub.take(request) else { continue }
            return try await answer.play(taken, exchange, clock: clock)
        }
        if let fallback {
            var exchange = exchange
            // The body was read, perhaps for the last time.
            if let content = exchange.request.body {
                exchange.request.body = .data(body, contentType: content.contentType)
            }
            return try await fallback(exchange)
        }
        state.withLock { $0.unmatched.append(request) }
        throw StubError.unmatched(UnmatchedRequest(request, stubs: stubs))
    }

    /// Does nothing: the stub may serve other sessions.
    public func invalidate() {}
}

extension StubTransport {
    /// Answers matching requests with the same answer each time.
    ///
    /// - Parameters:
    ///   - method: the method; nil for every method.
    ///   - url: a path, `"/items/{id}"`, for every server, or a URL, `"https://api.example.com/items"`, for one; nil for
    ///     every URL. `{name}` stands for one segment, a last segment `*` for any rest. Query items in it must be there.
    ///   - conditions: what the request must have besides.
    ///   - times: how many requests it answers before it steps aside for older stubs; nil for no limit.
    ///   - answer: the answer.
    /// - Returns: the stub, which counts and keeps what it has answered.
    @discardableResult
    public func when(
        _ method: HTTPMethod? = nil, _ url: String? = nil, _ conditions: StubCondition..., times: Int? = nil,
        answer: StubAnswer
    ) -> Stub {
        add(Stub(method, url, conditions, limit: times, answers: [answer], end: .repeatsLast))
    }

    /// Answers matching requests with one answer after the other.
    ///
    /// - Parameters:
    ///   - method: the method; nil for every method.
    ///   - url: a path or a URL; see ``when(_:_:_:times:answer:)``.
    ///   - conditions: what the request must have besides.
    ///   - answers: the answers in order; an empty list answers with status 200.
    ///   - end: what happens when they are used up.
    @discardableResult
    public func when(
        _ method: HTTPMethod? = nil, _ url: String? = nil, _ conditions: StubCondition..., answers: [StubAnswer],
        then end: Stub.End
    ) -> Stub {
        add(Stub(method, url, conditions, limit: nil, answers: answers, end: end))
    }

    private func add(_ stub: Stub) -> Stub {
        state.withLock { $0.stubs.append(stub) }
        return stub
    }

    /// Takes a stub out; requests that it is answering go on.
    public func remove(_ stub: Stub) { state.withLock { state in state.stubs.removeAll { $0 === stub } } }

    /// Takes all stubs out and forgets all requests.
    public func reset() { state.withLock { $0 = State() } }

    /// Forgets all requests, those of the stubs too: counts, limits and lists of answers start anew.
    public func clearRecord() {
        let stubs = state.withLock { state in
            state.requests = []
            state.received = []
            state.unmatched = []
            state.count = 0
            return state.stubs
        }
        for stub in stubs { stub.forget() }
    }

    /// The stubs in the order they were added.
    public var stubs: [Stub] { state.withLock { $0.stubs } }

    /// The requests that reached the transport, in order.
    public var requests: [HTTPRequest] { state.withLock { $0.requests } }

    /// The requests that were matched against stubs, in order, with the bytes of their bodies. Requests that only the
    /// closure answers are not among them.
    public var receivedRequests: [StubRequest] { state.withLock { $0.received } }

    /// The requests that nothing answered.
    public var unmatchedRequests: [StubRequest] { state.withLock { $0.unmatched } }

    /// The stubs that have answered no request, in the order they were added.
    public var unusedStubs: [Stub] { stubs.filter { $0.count == 0 } }
}
