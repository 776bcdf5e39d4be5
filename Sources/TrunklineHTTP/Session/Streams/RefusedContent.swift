import Foundation

/// Reads what a refused response says, for the error.
enum RefusedContent {
    /// The same response with up to 1 MB of its streamed content in memory. What can't be read is left out.
    static func attached(to response: HTTPResponse) async -> HTTPResponse {
        guard case .stream(let chunks) = response.body else { return response }
        var content = Data()
        do {
            for try await chunk in chunks {
                content.append(chunk.prefix(DownloadPlacement.keptOfRefused - content.count))
                if content.count >= DownloadPlacement.keptOfRefused { break }
            }
        } catch {
            // The status is the news; its explanation may be incomplete.
        }
        var response = response
        response.body = .data(content)
        return response
    }
}
