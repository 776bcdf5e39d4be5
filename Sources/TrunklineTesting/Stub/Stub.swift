import TrunklineHTTP

/// One rule of a ``StubTransport``: which requests it answers, and how. Made by
/// ``StubTransport/when(_:_:_:times:answer:)``; says what came of it.
///
/// All members may be used from any thread.
public final class Stub: Sendable, CustomStringConvertible {
    /// What a stub does when its list of answers is used up.
    public enum End: Hashable, Sendable {
        /// The last answer again and again.
        case repeatsLast
        /// The list from its beginning.
        case startsOver
        /// Requests fail with ``StubError/usedUp(stub:count:)``.
        case fails
    }

    private struct State {
        var requests: [StubRequest] = []
    }

    /// What the stub answers: method, URL and conditions.
    public let description: String
    private let method: HTTPMethod?
    private let pattern: StubURLPattern?
    private let conditions: [StubCondition]
    private let limit: Int?
    private let answers: [StubAnswer]
    private let end: End
    private let state = Protected(State())

    init(
        _ method: HTTPMethod?, _ url: String?, _ conditions: [StubCondition], limit: Int?, answers: [StubAnswer],
        end: End
    ) {
        self.method = method
        pattern = url.map { StubURLPattern($0) }
        self.conditions = conditions
        self.limit = limit
        self.answers = answers
        self.end = end
        let what = (method?.rawValue ?? "any method") + " " + (url ?? "any URL")
        description =
            what + (conditions.isEmpty ? "" : " with " + conditions.map(\.description).joined(separator: ", "))
    }

    /// How many requests it has answered.
    public var count: Int { state.withLock { $0.requests.count } }

    /// The requests it has answered, in order.
    public var requests: [StubRequest] { state.withLock { $0.requests } }

    /// What keeps the stub from answering the request; empty where nothing does.
    func mismatches(_ request: StubRequest) -> [StubMismatch] {
        var result: [StubMismatch] = []
        if let method, method != request.method {
            result.append(StubMismatch(.method, "the method is \(request.method), wanted \(method)", distance: 3))
        }
        result += pattern?.mismatches(request) ?? []
        result += conditions.compactMap { $0.mismatch(request) }
        return result
    }

    /// That the stub has answered as often as it may, where it has.
    var exhaustion: StubMismatch? {
        guard let limit, count >= limit else { return nil }
        return StubMismatch(.usedUp, "it has answered its \(limit) time\(limit == 1 ? "" : "s") already", distance: 1)
    }

    /// Takes the request and says what it is answered with; nil when the stub has answered as often as it may.
    func take(_ request: StubRequest) throws(StubError) -> (answer: StubAnswer, request: StubRequest)? {
        var request = request
        request.pathValues = pattern?.values(of: request) ?? [:]
        let number = state.withLock { [request] state -> Int? in
            if let limit, state.requests.count >= limit { return nil }
            state.requests.append(request)
            return state.requests.count
        }
        guard let number else { return nil }
        guard let last = answers.last else { return (.status(200), request) }
        if number <= answers.count { return (answers[number - 1], request) }
        switch end {
        case .repeatsLast: return (last, request)
        case .startsOver: return (answers[(number - 1) % answers.count], request)
        case .fails: throw .usedUp(stub: description, count: answers.count)
        }
    }

    func forget() { state.withLock { $0.requests = [] } }
}
