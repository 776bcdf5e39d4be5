import Foundation
import Testing
import TrunklineHTTP

extension OutsideCheck {
    /// Time, cancellation and many at once.
    static let limits: [OutsideCheck] = [
        OutsideCheck("A total limit ends a slow answer") { outside in
            let options = RequestOptions(timeouts: Timeouts(total: .milliseconds(300)))
            let error = await outside.failure(.get("/delay/5", base: outside.httpbin, options: options))
            guard case .timedOut(.total)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        },
        OutsideCheck("A slow answer within the limits arrives") { outside in
            let status = try await outside.response(.get("/delay/1", base: outside.httpbin)).statusCode
            #expect(status == 200)
        },
        OutsideCheck("A cancel ends a slow answer at once") { outside in
            let request = outside.session().request(.get("/delay/8", base: outside.httpbin))
            let start = ContinuousClock.now
            let outcome = Task { try await request.response() }
            request.cancel()
            guard case .failure(let error) = await outcome.result, case HTTPError.cancelled = error else {
                Issue.record("it was not cancelled")
                return
            }
            #expect(ContinuousClock.now - start < .seconds(7))
        },
        OutsideCheck("Thirty at once, each its own answer") { outside in
            let session = outside.session()
            let base = outside.httpbin
            let answers = try await withThrowingTaskGroup(of: (Int, String?).self) { group in
                for number in 0..<30 {
                    group.addTask {
                        let json = try await session.request(
                            .get("/anything", base: base, parameters: ["n": number])
                        ).value(of: JSONValue.self)
                        return (number, json.value(at: "args.n")?.string)
                    }
                }
                return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
            #expect(answers == Dictionary(uniqueKeysWithValues: (0..<30).map { ($0, String($0)) }))
        },
        OutsideCheck("Nobody listens: a connection failure") { outside in
            let error = await outside.failure(.get("http://127.0.0.1:1/"))
            guard case .connectionFailed? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        },
    ]
}
