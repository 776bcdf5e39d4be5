import Foundation

/// Puts a download in its place whole or not at all: the content goes into a file of its own first, which takes its place
/// when the answer was accepted. What was there before stays until then, and after a failure.
///
/// Who accepts, and when the file moves, is its owner's: the session validates and moves at once, a ``NetworkClient``
/// judges the status and moves on the main actor, where a cancel still counts.
struct DownloadPlacement: Sendable {
    /// How much of a refused answer's content is kept for the error.
    static let keptOfRefused = 1 << 20

    let destination: URL
    /// The file of its own, beside the place.
    let temporary: URL

    init(_ destination: URL) {
        self.destination = destination
        temporary = destination.deletingLastPathComponent()
            .appendingPathComponent(".\(UUID().uuidString).partial", isDirectory: false)
    }

    /// Sends the body of the request beside its destination; nil when it doesn't go to a file.
    init?(_ request: inout HTTPRequest) {
        guard case .file(let destination) = request.options.delivery else { return nil }
        self.init(destination)
        request.options.delivery = .file(temporary)
    }

    /// Runs the exchange. An accepted answer comes back with its content in the temporary file; that of another one is in
    /// memory, in the response or in the error, so that the server's explanation can be read.
    ///
    /// - Parameter accept: whether the answer is what was asked for; throws to end the request.
    func receive(
        _ exchange: () async throws -> HTTPResponse, accepting accept: (HTTPResponse) throws -> Bool
    ) async throws -> HTTPResponse {
        do {
            let response = try await exchange()
            // Nobody waits any more, so nobody else removes the file.
            try Task.checkCancellation()
            guard try accept(response) else { return DownloadPlacement.refused(response) }
            return try accepted(response)
        } catch HTTPError.validation(var failure) {
            failure.response = DownloadPlacement.refused(failure.response)
            discard()
            throw HTTPError.validation(failure)
        } catch {
            discard()
            throw error
        }
    }

    /// Moves the file to its place, over one that is there.
    func commit() throws(HTTPError) -> URL {
        do {
            return try FilePlacing.move(temporary, to: destination)
        } catch {
            discard()
            throw error
        }
    }

    /// Removes what has arrived and was not committed.
    func discard() { try? FileSystem.delete(temporary.path) }

    /// The content of an interceptor's answer, or a cached one, is in memory and goes into the file too.
    private func accepted(_ response: HTTPResponse) throws(HTTPError) -> HTTPResponse {
        switch response.body {
        case .file(temporary): return response
        case .file(let other):
            _ = try FilePlacing.move(other, to: temporary)
        case .data(let data):
            try DownloadPlacement.write(data, to: temporary)
        case .stream:
            throw .unsupported(feature: "A streamed answer to a request for a file", platform: "any platform")
        }
        var response = response
        response.body = .file(temporary)
        return response
    }

    private static func write(_ data: Data, to url: URL) throws(HTTPError) {
        guard url.isFileURL else {
            throw .file(FileFailure(url: url, operation: .write, reason: "the URL is not a file URL"))
        }
        let sink = try FileSink(url)
        do {
            try sink.write(data)
            try sink.close()
        } catch {
            sink.discard()
            throw error
        }
    }

    /// The response with the beginning of its content in memory; its file is removed.
    static func refused(_ response: HTTPResponse) -> HTTPResponse {
        guard case .file(let url) = response.body else { return response }
        var response = response
        var content = Data()
        if let file = try? FileHandle(forReadingFrom: url) {
            content = (try? file.read(upToCount: keptOfRefused)) ?? Data()
            try? file.close()
        }
        try? FileSystem.delete(url.path)
        response.body = .data(content)
        return response
    }
}

extension DownloadPlacement: TransferWork {
    func run(_ exchange: Exchange, pipeline: Next, validation: ResponseValidation) async throws -> HTTPResponse {
        var response = try await receive {
            try await pipeline(exchange)
        } accepting: {
            try validation.validate($0)
            return true
        }
        response.body = .file(try commit())
        return response
    }
}
