import Foundation
import TrunklineHTTP

/// Reads a request's content as a transport would send it.
enum RequestBodyReader {
    private static let step = 64 * 1024

    /// The whole content, of bytes, files and streams alike.
    ///
    /// - Throws: `HTTPError.invalidRequest(_:)` when a body has another length than it announced,
    ///   `HTTPError.file(_:)` when its file can't be read, and what its stream throws.
    static func read(_ body: RequestBody?, progress: ProgressObserver? = nil) async throws -> Data {
        guard let body else { return Data() }
        let total = body.contentLength
        var data = Data()
        func add(_ chunk: Data) {
            data.append(chunk)
            progress?.sent?(TransferProgress(completed: Int64(data.count), total: total))
        }
        switch body.source {
        case .data(let bytes):
            if !bytes.isEmpty { add(bytes) }
        case .file(let url, _):
            for chunk in try chunks(of: url) {
                try Task.checkCancellation()
                add(chunk)
            }
        case .stream(_, _, let make):
            for try await chunk in try make() where !chunk.isEmpty { add(chunk) }
            // A cancelled stream looks as if it had ended.
            try Task.checkCancellation()
        }
        guard total == nil || total == Int64(data.count) else {
            throw HTTPError.invalidRequest(
                .body(reason: "\(total ?? 0) bytes were announced and the body gave \(data.count)"))
        }
        return data
    }

    private static func chunks(of url: URL) throws -> [Data] {
        do {
            let content = try Data(contentsOf: url, options: .mappedIfSafe)
            return BodyPlayback.pieces(of: content, size: step).map(\.data)
        } catch {
            throw HTTPError.file(FileFailure(url: url, operation: .read, reason: error.localizedDescription))
        }
    }
}
