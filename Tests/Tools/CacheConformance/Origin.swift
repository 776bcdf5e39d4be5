import Foundation
import TrunklineHTTP
import TrunklineTesting

/// The origin server of the suite: answers the N-th request of a case as its N-th step says, and remembers what it saw.
final class Origin: Sendable {
    /// A request it saw, and the fields it answered with.
    struct Record: Sendable {
        var number: Int
        var method: HTTPMethod
        var requestHeaders: HTTPHeaders
        var responseHeaders: HTTPHeaders
    }

    private struct Run: Sendable {
        var steps: [Step]
        var records: [Record] = []
    }

    private let runs = Protected<[String: Run]>([:])
    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer()
        server.options.recordsRequests = false
        server.fallback { [runs] request in await Origin.answer(request, runs) }
    }

    /// Begins a case under a fresh token and gives the URL its requests are below.
    func begin(_ steps: [Step], token: String) -> URL? {
        runs.withLock { $0[token] = Run(steps: steps) }
        return server.url("/test/\(token)")
    }

    func records(of token: String) -> [Record] { runs.withLock { $0[token]?.records ?? [] } }

    func stop() { server.stop() }

    private static func answer(_ request: LoopbackRequest, _ runs: Protected<[String: Run]>) async -> LoopbackResponse {
        let path = request.target.prefix { $0 != "?" }.split(separator: "/").map(String.init)
        guard path.count >= 2, path[0] == "test", let number = request.headers["Req-Num"].flatMap({ Int($0) }) else {
            return .status(404)
        }
        let token = path[1]
        let base = "http://" + (request.headers["Host"] ?? "") + "/test/" + token
        let plan = runs.withLock { runs -> AnswerPlan? in
            guard let run = runs[token], number >= 1, number <= run.steps.count else { return nil }
            let plan = AnswerPlan(
                run.steps[number - 1], former: number > 1 ? run.steps[number - 2] : nil, number: number, token: token,
                base: base, request: request, records: run.records)
            runs[token]?.records.append(plan.record)
            return plan
        }
        guard let plan else { return .status(404) }
        if let pause = plan.step.responsePause { try? await Task.sleep(for: .seconds(pause)) }
        return plan.step.disconnects ? .raw([.close]) : .raw(plan.script)
    }
}
