import Foundation
import TestSupport
import TrunklineHTTP
import TrunklineTesting

/// 10,000 requests in the queue of a session with room for four, over and over: what they hold, and what stays.
enum QueueMeasurement {
    /// A sanitizer makes it ten times slower, and its memory says nothing.
    private static let count = Sanitizer.isThread ? 1000 : 10_000

    /// - Parameter isLimited: false for the same requests at the transport instead of in the queue, to compare.
    static func run(isLimited: Bool) async throws {
        let transport = GatedTransport()
        let arrivals = Protected(0)
        let counting = ClosureInterceptor { exchange, next in
            arrivals.withLock { $0 += 1 }
            return try await next(exchange)
        }
        let session = SessionManager(
            configuration: SessionConfiguration(limits: isLimited ? RequestLimits(maximumPerHost: 4) : .none),
            transport: transport, interceptors: [counting])
        let before = ProcessFacts.residentBytes()
        var held: [Int] = []
        for wave in 0..<(isLimited ? 4 : 1) {
            transport.gate.close()
            arrivals.withLock { $0 = 0 }
            let requests = (0..<count).map { _ in session.request("http://h/") }
            try Findings.require(
                await eventually { arrivals.current == count }, "\(arrivals.current) of \(count) arrived")
            if let resident = ProcessFacts.residentBytes() { held.append(resident) }
            // The second wave is cancelled in the queue.
            if wave == 1 { session.cancelAll() }
            transport.gate.open()
            var answered = 0
            for request in requests where (try? await request.response()) != nil { answered += 1 }
            try Findings.require(answered == (wave == 1 ? 0 : count), "\(answered) answers")
        }
        if let before, let first = held.first, !Sanitizer.isThread {
            Findings.report("bytesPerRequest", max(0, first - before) / count)
            // The allocator takes some waves to find its size; from then on nothing is added.
            if held.count == 4 { Findings.report("growth", held[3] - held[2]) }
        }
        Findings.report("active", session.activeRequests.count)
    }

    /// A transport that answers when the gate is open, and remembers nothing.
    private final class GatedTransport: Transport {
        let gate = LoopbackGate()
        let capabilities = TransportCapabilities(name: "gated")

        func send(_ exchange: Exchange) async throws -> HTTPResponse {
            try await gate.wait()
            return HTTPResponse(request: exchange.request, statusCode: 200)
        }

        func invalidate() {}
    }
}
