import Testing
import TrunklineHTTP

/// The transports that every check runs on.
enum OutsideTransport: CaseIterable, CustomTestStringConvertible {
    case curl
    case urlSession

    func make() -> any Transport {
        switch self {
        case .curl:
            if let transport = try? CurlTransport() { return transport }
            Issue.record("libcurl can't be opened")
            return URLSessionTransport()
        case .urlSession: return URLSessionTransport()
        }
    }

    var testDescription: String { self == .curl ? "libcurl" : "URLSession" }
}
