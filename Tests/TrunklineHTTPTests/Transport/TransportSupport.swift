import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

/// The case of an error, without what it carries: for tables of expectations.
enum ErrorKind: String, Sendable {
    case none, cancelled, sessionInvalidated, invalidRequest, idleTimeout, connectTimeout, nameResolution
    case connectionFailed, lostBeforeResponse, lostDuringBody, invalidResponse, tls, file, unsupported, other

    init(_ error: (any Error)?) {
        switch error as? HTTPError {
        case nil: self = error == nil ? .none : .other
        case .cancelled: self = .cancelled
        case .sessionInvalidated: self = .sessionInvalidated
        case .invalidRequest: self = .invalidRequest
        case .timedOut(.idle): self = .idleTimeout
        case .timedOut(.connect): self = .connectTimeout
        case .nameResolution: self = .nameResolution
        case .connectionFailed: self = .connectionFailed
        case .connectionLost(let loss): self = loss.stage == .beforeResponse ? .lostBeforeResponse : .lostDuringBody
        case .invalidResponse: self = .invalidResponse
        case .tls: self = .tls
        case .file: self = .file
        case .unsupported: self = .unsupported
        default: self = .other
        }
    }
}

/// How one exchange ended.
struct Ending: Sendable {
    var response: HTTPResponse?
    var error: HTTPError?
    var seconds: Double

    var kind: ErrorKind { ErrorKind(error) }
    var text: String? { response.map { String(decoding: $0.data, as: UTF8.self) } }
}

extension Transport {
    /// Sends the request and says how it ended, however that is. Runs off the pool, so that the time is the
    /// transport's and not that of other tests.
    func ending(
        of request: HTTPRequest, timeouts: Timeouts = .patient,
        progress: ProgressObserver? = nil
    ) async -> Ending {
        await offPool { await end(of: request, timeouts: timeouts, progress: progress) }
    }

    private func end(of request: HTTPRequest, timeouts: Timeouts, progress: ProgressObserver?) async -> Ending {
        let start = ContinuousClock.now
        var ending = Ending(seconds: 0)
        do {
            ending.response = try await send(Exchange(request: request, timeouts: timeouts, progress: progress))
        } catch {
            ending.error = HTTPError(error)
        }
        ending.seconds = (ContinuousClock.now - start).seconds
        return ending
    }
}

extension LoopbackServer {
    /// A request to this server.
    func request(
        _ method: HTTPMethod = .get, _ path: String = "/", headers: HTTPHeaders = [:], body: RequestBody? = nil,
        delivery: BodyDelivery = .data
    ) throws -> HTTPRequest {
        var options = RequestOptions()
        options.delivery = delivery
        return HTTPRequest(
            method: method, url: try #require(url(path)), headers: headers, body: body, options: options)
    }
}

/// A file of its own that is removed in the end.
final class ScratchFile: Sendable {
    let url: URL

    init(_ data: Data? = nil) throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("trunkline-\(UUID().uuidString)")
        try data?.write(to: url)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    var data: Data? { try? Data(contentsOf: url) }
}

/// Reads a stream to its end.
func collect(_ body: ResponseBody) async throws -> Data {
    guard case .stream(let chunks) = body else { return Data() }
    var data = Data()
    for try await chunk in chunks { data.append(chunk) }
    return data
}

/// Makes the measurement again until it is below the limit, five times at most, and gives the best: a busy machine makes
/// some of them slow, a broken limit all.
func best(below limit: Double, _ measure: () async throws -> Double) async rethrows -> Double {
    var best = try await measure()
    for _ in 1..<5 where best >= limit { best = min(best, try await measure()) }
    return best
}
