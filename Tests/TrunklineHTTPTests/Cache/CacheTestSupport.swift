import Foundation
import Testing

@testable import TrunklineHTTP

/// A directory of a test's own, removed at the end.
final class ScratchDirectory: Sendable {
    let url: URL

    init() {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("trunkline-cache-" + UUID().uuidString)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Every regular file below the directory, as paths relative to it.
    var files: [String] {
        (FileManager.default.enumerator(atPath: url.path)?.compactMap { $0 as? String } ?? []).filter { path in
            (try? FileManager.default.attributesOfItem(atPath: url.path + "/" + path))?[.type] as? FileAttributeType
                == .typeRegular
        }.sorted()
    }

    func url(of file: String) -> URL { url.appendingPathComponent(file) }

    var bytes: Int {
        files.reduce(0) { $0 + ((try? Data(contentsOf: url(of: $1)).count) ?? 0) }
    }
}

func cacheURL(_ text: String) throws -> URL { try #require(URL(string: text)) }

func cacheRequest(
    _ url: String, _ method: HTTPMethod = .get, headers: HTTPHeaders = [:], body: String? = nil,
    options: RequestOptions = RequestOptions()
) throws -> HTTPRequest {
    HTTPRequest(
        method: method, url: try cacheURL(url), headers: headers, body: body.map { .data(Data($0.utf8)) },
        options: options)
}

func cacheEntry(
    _ body: String = "body", url: String = "https://example.com/a", status: Int = 200,
    headers: HTTPHeaders = ["Content-Type": "text/plain"], at time: Date = Date(timeIntervalSince1970: 1_700_000_000)
) -> CachedResponse {
    CachedResponse(
        statusCode: status, headers: headers, body: .data(Data(body.utf8)),
        requestURL: URL(string: url) ?? URL(fileURLWithPath: "/"),
        storedAt: time)
}

/// Waits, asking again and again, until the condition holds; false after a minute.
func soon(_ condition: () async -> Bool) async -> Bool {
    let deadline = ContinuousClock.now + .seconds(60)
    while await !condition() {
        guard ContinuousClock.now < deadline else { return false }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return true
}
