import Testing
import TrunklineTesting

@testable import TrunklineHTTP

/// The transports that pass the same suite (`TransportTests`, `TransportFailureTests`, `CookieTests`).
///
/// What is tested on libcurl alone, because the toolchain's `URLSession` on Linux can't:
///
/// | suite | why |
/// |---|---|
/// | `HostileServerTests`: trailers, a close within the head | the process ends |
/// | `HostileServerTests`: the other rows | garbage and bad lengths are passed off as answers, or never end |
/// | `CurlDownloadTests`: backpressure | a slow reader has everything buffered |
/// | `CurlLimitsTests`: connect limit, sub-second idle limit, header limits | there is no such limit |
/// | `ResendTests`: a POST on a closed connection, byte counts | a second head goes out without a body |
/// | `NginxTests`: CA, pins, client certificates, HTTP/2 | not configurable |
/// | `CurlProxyTests`: proxies, Unix sockets, IPv6 literals | not configurable, or refused |
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
