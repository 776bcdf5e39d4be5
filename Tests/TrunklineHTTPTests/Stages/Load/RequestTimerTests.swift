import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite struct RequestTimerTests {
    @Test func `a session hands the timer to its stages, and the limit still ends a request`() async {
        let paused = Collector<Bool>()
        let looking = ClosureInterceptor { exchange, next in
            if let timer = exchange.timer {
                timer.pause()
                paused.add(true)
                // Longer than the limit.
                try await Task.sleep(for: .milliseconds(300))
            }
            return try await next(exchange)
        }
        let transport = StubTransport { _ in
            try await Task.sleep(for: .seconds(60))
            throw HTTPError.offline
        }
        let session = SessionManager(
            configuration: SessionConfiguration(timeouts: Timeouts(total: .milliseconds(100))), transport: transport)
        let error = await #expect(throws: HTTPError.self) { try await session.send("http://h/") }
        guard case .timedOut(.total) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        // While it rests the request can't run out of time: it ends by its answer, which never resumes the timer.
        let patient = SessionManager(
            configuration: SessionConfiguration(timeouts: Timeouts(total: .seconds(30))),
            transport: StubTransport { .stub(for: $0) }, interceptors: [looking])
        let response = try? await patient.send("http://h/")
        #expect(response?.statusCode == 200 && paused.count == 1)
    }
}
