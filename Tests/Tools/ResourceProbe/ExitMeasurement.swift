import Foundation
import TrunklineHTTP

/// Ends the process in the middle of TLS exchanges: what else is torn down then must not pull the rug from under them.
enum ExitMeasurement {
    /// - Parameters:
    ///   - url: what is fetched, over and over.
    ///   - roots: the PEM file with the roots to trust.
    static func run(url: URL, roots: URL) async throws -> Never {
        var configuration = TransportConfiguration()
        configuration.tls.trust = .caFile(roots)
        // One connection an exchange: handshakes are the larger part of the work.
        configuration.http2 = .disabled
        let transport = try CurlTransport(configuration: configuration)
        _ = try await transport.send(Exchange(request: HTTPRequest(url: url, headers: ["Connection": "close"])))
        for _ in 0..<32 {
            Task.detached {
                while true {
                    let request = HTTPRequest(url: url, headers: ["Connection": "close"])
                    _ = try? await transport.send(Exchange(request: request))
                }
            }
        }
        try await Task.sleep(for: .milliseconds(Int.random(in: 1..<60)))
        exit(0)
    }
}
