import Foundation

/// Where a client's download goes: the client accepts the answer and then, unless the caller has cancelled, has the file
/// moved.
///
/// An interceptor and not the request's own delivery, since the session would move the file before the client has judged
/// the answer.
struct DownloadPlace: Interceptor {
    private let placement: DownloadPlacement

    /// - Parameters:
    ///   - destination: a file URL; nil for a new file in the temporary directory.
    ///   - path: the request's path, whose extension a new file gets.
    init(_ destination: URL?, path: String) {
        if let destination {
            placement = DownloadPlacement(destination)
        } else {
            let name = "trunkline-\(UUID().uuidString)"
            let file = FileManager.default.temporaryDirectory.appendingPathComponent(name, isDirectory: false)
            let fileExtension = DownloadPlace.fileExtension(of: path)
            placement = DownloadPlacement(fileExtension.isEmpty ? file : file.appendingPathExtension(fileExtension))
        }
    }

    /// Receives the content of a successful answer into the temporary file; that of another one into memory, so that the
    /// error has it.
    func intercept(_ exchange: Exchange, next: Next) async throws -> HTTPResponse {
        try prepare()
        var exchange = exchange
        exchange.request.options.delivery = .file(placement.temporary)
        return try await placement.receive {
            try await next(exchange)
        } accepting: {
            NetworkError(status: $0) == nil
        }
    }

    /// Makes the directory, where it is missing.
    private func prepare() throws(HTTPError) {
        let destination = placement.destination
        guard destination.isFileURL else {
            throw .file(FileFailure(url: destination, operation: .write, reason: "the URL is not a file URL"))
        }
        do {
            try FileManager.default.createDirectory(
                at: destination.deletingLastPathComponent(), withIntermediateDirectories: true)
        } catch {
            throw .file(FileFailure(url: destination, operation: .write, reason: error.localizedDescription))
        }
    }

    /// Puts the file in its place, over one that is there.
    func commit() throws(HTTPError) -> URL { try placement.commit() }

    /// Removes what has arrived and was not committed.
    func discard() { placement.discard() }

    private static func fileExtension(of path: String) -> String {
        let name = String(decoding: URLReference(path).path, as: UTF8.self).split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: ".") else { return "" }
        let text = name[name.index(after: dot)...]
        let isPlain = text.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
        }
        return isPlain && text.utf8.count <= 16 ? String(text) : ""
    }
}
