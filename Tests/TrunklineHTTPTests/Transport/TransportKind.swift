import Testing

@testable import TrunklineHTTP

/// The transports that pass the same suite, and what the toolchain's `URLSession` can't do, in one table.
enum TransportKind: CaseIterable, CustomTestStringConvertible {
    case urlSession

    func make() -> any Transport {
        switch self {
        case .urlSession: URLSessionTransport()
        }
    }

    func session(_ configuration: SessionConfiguration = SessionConfiguration()) -> SessionManager {
        SessionManager(configuration: configuration, transport: make())
    }

    var testDescription: String { make().capabilities.name }
}
