import Foundation
import Testing
import TrunklineTesting

/// A request to a made-up server, or to `base`.
func request(
    _ method: HTTPMethod = .get, _ target: String, base: String = "https://api.test", headers: HTTPHeaders = [:],
    body: RequestBody? = nil, delivery: BodyDelivery = .data
) throws -> HTTPRequest {
    var options = RequestOptions()
    options.delivery = delivery
    let text = target.hasPrefix("/") ? base + target : target
    return HTTPRequest(
        method: method, url: try #require(URL(string: text)), headers: headers, body: body, options: options)
}

extension Transport {
    /// Sends a request by hand, without a session.
    func answer(
        _ request: HTTPRequest, timeouts: Timeouts = Timeouts(), progress: ProgressObserver? = nil
    ) async throws -> HTTPResponse {
        try await send(Exchange(request: request, timeouts: timeouts, progress: progress))
    }

    /// The text a request is answered with.
    func text(_ request: HTTPRequest) async throws -> String {
        String(decoding: try await answer(request).data, as: UTF8.self)
    }
}

/// The chunks of a streamed body.
func chunks(of response: HTTPResponse) async throws -> [Data] {
    guard case .stream(let stream) = response.body else { return [] }
    var chunks: [Data] = []
    for try await chunk in stream { chunks.append(chunk) }
    return chunks
}

/// A directory of its own that is removed in the end.
final class ScratchDirectory: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("trunkline-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String) -> URL { url.appendingPathComponent(name) }
}

/// A stream body of these pieces.
func streamed(_ pieces: [String], length: Int64? = nil) -> RequestBody {
    .stream(length: length) {
        RequestBody.Chunks { continuation in
            for piece in pieces { continuation.yield(Data(piece.utf8)) }
            continuation.finish()
        }
    }
}

/// The error of what must fail.
func failure(
    isolation: isolated (any Actor)? = #isolation, of work: () async throws -> Void
) async throws -> HTTPError { try await expectFailure { try await work() } }
