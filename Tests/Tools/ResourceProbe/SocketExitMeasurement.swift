import Foundation
import TrunklineHTTP

/// Ends the process in the middle of WebSockets over TLS, each of which has a thread inside libcurl.
enum SocketExitMeasurement {
    /// - Parameters:
    ///   - url: a WebSocket that echoes.
    ///   - roots: the PEM file with the roots to trust.
    static func run(url: String, roots: URL) async throws -> Never {
        var configuration = TransportConfiguration()
        configuration.tls.trust = .caFile(roots)
        let session = SessionManager(transport: try CurlTransport(configuration: configuration))
        try await session.webSocket(url).opened()
        for _ in 0..<16 {
            Task.detached {
                while true {
                    let socket = session.webSocket(url)
                    for _ in 0..<20 { try? await socket.send(.binary(Data(count: 10_000))) }
                    _ = try? await socket.messages.first { _ in true }
                }
            }
        }
        try await Task.sleep(for: .milliseconds(Int.random(in: 1..<60)))
        exit(0)
    }
}
