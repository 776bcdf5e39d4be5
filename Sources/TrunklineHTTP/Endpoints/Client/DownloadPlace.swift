import Foundation

/// Where a download goes: a file beside its place while it arrives, moved there in one step when it is complete.
///
/// An interceptor and not the request's own delivery, since it is the client that accepts the answer and then, unless the
/// caller has cancelled, moves the file.
struct DownloadPlace: Interceptor {
    let destination: URL
    let temporary: URL

    /// - Parameters:
    ///   - destination: a file URL; nil for a new file in the temporary directory.
    ///   - path: the request's path, whose extension a new file gets.
    init(_ destination: URL?, path: String) {
        let name = "trunkline-\(UUID().uuidString)"
        if let destination {
            self.destination = destination
        } else {
            let file = FileManager.default.temporaryDirectory.appendingPathComponent(name, isDirectory: false)
            let fileExtension = DownloadPlace.fileExtension(of: path)
            self.destination = fileExtension.isEmpty ? file : file.appendingPathExtension(fileExtension)
        }
        temporary = self.destination.deletingLastPathComponent()
            .appendingPathComponent(".\(name).partial", isDirectory: false)
    }

    /// Receives the content of a successful answer into the temporary file; that of another one into memory, so that the
    /// error has it.
    func intercept(_ exchange: Exchange, next: Next) async throws -> HTTPResponse {
        try prepare()
        var exchange = exchange
        exchange.request.options.delivery = .file(temporary)
        do {
            let response = try await next(exchange)
            // Nobody waits any more, so nobody else removes the file.
            try Task.checkCancellation()
            return try received(response)
        } catch {
            discard()
            throw error
        }
    }

    /// Makes the directory, where it is missing.
    private func prepare() throws(HTTPError) {
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

    private func received(_ response: HTTPResponse) throws -> HTTPResponse {
        var response = response
        let isSuccess = NetworkError(status: response) == nil
        switch response.body {
        case .file(let url) where !isSuccess:
            let file = try FileHandle(forReadingFrom: url)
            defer { try? file.close() }
            response.body = .data(try file.read(upToCount: DownloadPlacement.keptOfRefused) ?? Data())
            discard()
        case .data(let data) where isSuccess:
            // An interceptor's answer, or a stand-in's.
            let sink = try FileSink(temporary)
            try sink.write(data)
            try sink.close()
            response.body = .file(temporary)
        case .stream:
            throw HTTPError.unsupported(feature: "A streamed body of a download", platform: "NetworkClient")
        case .file, .data:
            break
        }
        return response
    }

    /// Puts the file in its place, over one that is there.
    func commit() throws(HTTPError) -> URL {
        guard rename(temporary.path, destination.path) == 0 else {
            throw .file(
                FileFailure(url: destination, operation: .move, reason: String(cString: strerror(errno))))
        }
        return destination
    }

    /// Removes what has arrived and was not committed.
    func discard() { try? FileManager.default.removeItem(at: temporary) }

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
