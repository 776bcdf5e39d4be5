import Foundation
import TrunklineHTTP

/// Measures what the library adds to a request, over a transport that answers at once.
struct PipelineBenchmark {
    /// What `--only` selects it by.
    static let name = "pipeline"

    /// Answers at once with the same content.
    private struct InstantTransport: Transport {
        var capabilities: TransportCapabilities { TransportCapabilities(name: "instant") }
        func send(_ exchange: Exchange) async throws -> HTTPResponse {
            HTTPResponse(request: exchange.request, statusCode: 200)
        }
        func invalidate() {}
    }

    /// Hears everything and does nothing with it.
    private struct Listener: EventMonitor {
        func receive(_ event: Event) {}
    }

    private let count: Int

    /// - Parameter quick: whether a round does a part only.
    init(quick: Bool) { count = quick ? 5_000 : 50_000 }

    /// The figures in microseconds a request, the median of nine rounds each; the first round only warms up.
    func run() async throws -> [(what: String, microseconds: Double)] {
        guard let url = URL(string: "http://localhost/books?page=1") else { return [] }
        let request = HTTPRequest(url: url)
        let session = SessionManager(transport: InstantTransport())
        let pipeline = Pipeline.next(
            configuration: SessionConfiguration(), cache: session.cache, interceptors: [],
            transport: InstantTransport())
        let watched = SessionManager(
            configuration: SessionConfiguration(eventMonitors: [Listener()]), transport: InstantTransport())
        return [
            ("the stages alone", try await median { _ = try await pipeline(Exchange(request: request)) }),
            ("a session's send, handle and task included", try await median { _ = try await session.send(request) }),
            (
                "the same from an endpoint with parameters",
                try await median {
                    _ = try await session.send(Endpoint(.get, "http://localhost/books", parameters: ["page": 1]))
                }
            ),
            ("a session's send with a monitor of its events", try await median { _ = try await watched.send(request) }),
        ]
    }

    private func median(_ work: () async throws -> Void) async throws -> Double {
        var figures: [Double] = []
        for round in 0...9 {
            let start = ContinuousClock.now
            for _ in 0..<count { try await work() }
            if round > 0 { figures.append((ContinuousClock.now - start).seconds * 1e6 / Double(count)) }
        }
        return figures.sorted()[figures.count / 2]
    }
}
