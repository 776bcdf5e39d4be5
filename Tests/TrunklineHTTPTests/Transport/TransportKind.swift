import Testing
import TrunklineTesting

@testable import TrunklineHTTP

/// The transports that pass the same suite, and what the toolchain's `URLSession` can't do, in one table.
enum TransportKind: CaseIterable, CustomTestStringConvertible {
    case urlSession
    case curl

    /// A transport that can't be made here is one that fails every request with the reason.
    func make() -> any Transport {
        switch self {
        case .urlSession: return URLSessionTransport()
        case .curl:
            do {
                return try CurlTransport()
            } catch {
                return StubTransport { _ in throw error }
            }
        }
    }

    func session(_ configuration: SessionConfiguration = SessionConfiguration()) -> SessionManager {
        SessionManager(configuration: configuration, transport: make())
    }

    var testDescription: String { make().capabilities.name }
}
