import Foundation
import TestSupport
import TrunklineHTTP
import TrunklineTesting

/// 2,000 requests at once through libcurl: how many are answered, over how many connections, with how many threads.
enum TransportMeasurement {
    static func run() async throws {
        let server = try LoopbackServer {
            $0.route(.get, "/", respond: .text("slow").delayed(by: .milliseconds(3)))
        }
        server.recordsRequests = false
        let transport = try CurlTransport()
        let request = HTTPRequest(url: server.baseURL)
        // What comes with the first request and stays is not counted.
        _ = try await transport.send(Exchange(request: request))
        let threads = ProcessFacts.threads()
        let descriptors = ProcessFacts.descriptors()
        var most = (threads: 0, descriptors: 0)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<2000 {
                group.addTask {
                    let exchange = Exchange(request: request, timeouts: Timeouts(idle: .seconds(60)))
                    return try await transport.send(exchange).data == Data("slow".utf8)
                }
            }
            var answered = 0
            for try await isRight in group {
                answered += isRight ? 1 : 0
                guard answered.isMultiple(of: 100) else { continue }
                most.threads = max(most.threads, ProcessFacts.threads() ?? 0)
                most.descriptors = max(most.descriptors, ProcessFacts.descriptors() ?? 0)
            }
            Findings.report("answered", answered)
        }
        Findings.report("connections", server.connectionCount)
        Findings.report("threads", threads.map { most.threads - $0 })
        Findings.report("descriptors", descriptors.map { most.descriptors - $0 })
    }
}
