import Foundation

/// Puts a download in its place whole or not at all: transports write a file beside the destination, which takes its
/// place when the response was accepted. What was there before stays until then, and after a failure.
struct DownloadPlacement: Sendable {
    /// How much of a refused response's content is kept for the error.
    static let keptOfRefused = 1 << 20

    private let destination: URL
    private let partial: URL

    /// Sends the body of the request beside its destination; nil when it doesn't go to a file.
    init?(_ request: inout HTTPRequest) {
        guard case .file(let destination) = request.options.delivery else { return nil }
        self.destination = destination
        partial = destination.deletingLastPathComponent()
            .appendingPathComponent(".\(UUID().uuidString).download", isDirectory: false)
        request.options.delivery = .file(partial)
    }

    /// Runs the exchange and moves what it brought.
    func place(_ exchange: () async throws -> HTTPResponse) async throws -> HTTPResponse {
        do {
            var response = try await exchange()
            guard case .file(partial) = response.body else { return response }
            try move()
            response.body = .file(destination)
            return response
        } catch HTTPError.validation(var failure) {
            if case .file(partial) = failure.response.body { failure.response.body = .data(refusedContent()) }
            try? FileManager.default.removeItem(at: partial)
            throw HTTPError.validation(failure)
        } catch {
            try? FileManager.default.removeItem(at: partial)
            throw error
        }
    }

    private func move() throws(HTTPError) {
        guard rename(partial.path, destination.path) == 0 else {
            throw .file(FileFailure(url: destination, operation: .move, reason: String(cString: strerror(errno))))
        }
    }

    /// The server's explanation, for the error.
    private func refusedContent() -> Data {
        guard let file = try? FileHandle(forReadingFrom: partial) else { return Data() }
        defer { try? file.close() }
        return (try? file.read(upToCount: DownloadPlacement.keptOfRefused)) ?? Data()
    }
}
