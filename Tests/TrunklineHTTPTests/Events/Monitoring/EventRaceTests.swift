import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite("Events when everything happens at once")
struct EventRaceTests {
    @Test("Cancelled at any moment: created first, completed last, each once, and everything that began has ended")
    func cancelled() async throws {
        let log = EventLog([.stages, .bytes, .content])
        let session = SessionManager(
            configuration: SessionConfiguration(
                retry: RetryPolicy(limit: 2, baseDelay: .microseconds(50)),
                limits: RequestLimits(maximumInAll: 4), eventMonitors: [log]),
            transport: StubTransport { exchange in
                try await Task.sleep(for: .microseconds(20))
                return HTTPResponse(
                    request: exchange.request, statusCode: exchange.attempt == 1 ? 503 : 200,
                    body: .data(Data("x".utf8)))
            })
        var random = SeededRandom(seed: 8)
        var requests: [DataRequest] = []
        for number in 0..<400 {
            let request = session.request("http://h/\(number)")
            requests.append(request)
            let delay = random.below(400)
            if number % 4 != 0 {
                Task.detached {
                    try? await Task.sleep(for: .microseconds(delay))
                    request.cancel()
                }
            }
        }
        for request in requests { _ = try? await request.response() }
        for request in requests {
            #expect(await eventually { log.names(of: request.id).last == "completed" })
        }
        // Whatever still unwinds has nothing to tell.
        let count = log.all.count
        #expect(await eventually { session.load.limiter?.isEmpty ?? true })
        #expect(log.all.count == count)
        for request in requests {
            let mistakes = log.of(request.id).mistakes
            #expect(mistakes.isEmpty, "\(mistakes)")
        }
    }

    @Test("Reports of many threads are delivered one at a time, in their order")
    func threads() async throws {
        final class Careful: EventMonitor {
            let inside = Protected(0)
            let overlaps = Protected(0)
            let numbers = Protected<[Int]>([])
            func receive(_ event: Event) {
                let count = inside.withLock { count in
                    count += 1
                    return count
                }
                if count > 1 { overlaps.withLock { $0 += 1 } }
                numbers.withLock { $0.append(event.number) }
                inside.withLock { $0 -= 1 }
            }
        }
        let monitor = Careful()
        let observation = try #require(EventObservation(SessionConfiguration(eventMonitors: [monitor])))
        let reporter = observation.reporter(for: .next(), nil)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    await onThread { for _ in 0..<500 { reporter.send(.suspended) } }
                }
            }
        }
        reporter.complete(.failure(.cancelled))
        reporter.complete(.failure(.offline))
        reporter.send(.resumed)
        #expect(monitor.overlaps.current == 0)
        #expect(monitor.numbers.current == Array(1...4002))
    }
}
