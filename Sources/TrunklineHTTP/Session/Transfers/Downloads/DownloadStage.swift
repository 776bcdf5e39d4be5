import Foundation

/// The stage of a download inside retries: asks for what is missing, and puts what comes into the partial content.
struct DownloadStage: Interceptor {
    let job: DownloadJob
    /// Whether what an earlier download or attempt has left is used.
    let resumes: Bool

    func intercept(_ exchange: Exchange, next: Next) async throws -> HTTPResponse {
        let partial = try await job.openPartial()
        let asksItself = exchange.request.headers.contains("Range")
        let canResume = resumes && exchange.request.method == .get && !asksItself
        var startsOver = false
        while true {
            let known = canResume && !startsOver ? try partial.resumable() : nil
            let response = try await next(attempt(exchange, known))
            let decision =
                exchange.request.method == .head || asksItself
                ? .other
                : ResumeDecision.decide(
                    status: response.statusCode, headers: response.headers, offset: known?.offset, state: known?.state)
            switch decision {
            case .whole(let length):
                try begin(partial, with: response, length: length, from: exchange.request, keeps: canResume)
                return try await receive(response, into: partial, at: 0, count: length, total: length, exchange)
            case .rest(let count, let total):
                guard let known else { throw DownloadStage.unaskedPart }
                try partial.goOn(at: known.offset)
                let end = known.offset + count
                let received = try await receive(
                    response, into: partial, at: known.offset, count: count, total: total, exchange,
                    announced: known.state.digest)
                // A server may send less than was asked for (RFC 9110, section 15.3.7): then the next part is due.
                if total == nil || total == end { return received }
            case .startOver:
                guard !startsOver else { throw DownloadStage.unaskedPart }
                try partial.begin(nil)
                startsOver = true
            case .unaskedPart:
                throw DownloadStage.unaskedPart
            case .other:
                return try await receiveOther(response, exchange)
            }
        }
    }

    private static let unaskedPart = HTTPError.invalidResponse(
        reason: "the server sent a part of the content, or refused one, that was not asked for")

    private func attempt(_ exchange: Exchange, _ known: (offset: Int64, state: DownloadState)?) -> Exchange {
        var attempt = exchange
        attempt.request.options.delivery = .stream
        // Reported here, as bytes of the whole that are in the file.
        attempt.progress?.received = nil
        // Coded bytes can't be resumed: their number is not the file's.
        if resumes { attempt.request.headers.setDefault("Accept-Encoding", "identity") }
        if let known {
            attempt.request.headers.set("Accept-Encoding", "identity")
            attempt.request.headers.set("Range", "bytes=\(known.offset)-")
            attempt.request.headers.set("If-Range", known.state.validator.text)
        }
        return attempt
    }

    /// Makes room for a whole content, and keeps what a later download needs to go on with it.
    private func begin(
        _ partial: PartialDownload, with response: HTTPResponse, length: Int64?, from request: HTTPRequest, keeps: Bool
    ) throws {
        let isCoded = response.headers["Content-Encoding"].map { !HTTPHeaders.equal($0, "identity") } ?? false
        guard keeps, !isCoded, let validator = DownloadValidator(response.headers) else {
            return try partial.begin(nil)
        }
        try partial.begin(
            DownloadState(
                url: request.url.absoluteString, validator: validator, total: length,
                digest: DownloadChecksum.announced(in: response.headers, isWhole: true)))
    }

    /// Writes the content into the file, and returns the response with the file for its body.
    ///
    /// - Parameters:
    ///   - count: how many bytes must come; nil where only their end tells.
    ///   - announced: the digest of the whole that is known from before.
    private func receive(
        _ response: HTTPResponse, into partial: PartialDownload, at offset: Int64, count: Int64?, total: Int64?,
        _ exchange: Exchange, announced: String? = nil
    ) async throws -> HTTPResponse {
        let digest = DownloadChecksum.announced(in: response.headers, isWhole: offset == 0) ?? announced
        var sum = try job.beginSum(partial, offset: offset, announced: digest)
        var position = offset
        let end = count.map { offset + $0 }
        report(position, total, exchange)
        for try await chunk in DownloadStage.chunks(of: response) where !chunk.isEmpty {
            if let end, position + Int64(chunk.count) > end {
                try partial.begin(nil)
                throw HTTPError.invalidResponse(reason: "the content is longer than its announced \(end) bytes")
            }
            try partial.write(chunk, at: position)
            position += Int64(chunk.count)
            sum?.take(chunk)
            report(position, total, exchange)
        }
        // A cancelled stream looks as if it had ended.
        try Task.checkCancellation()
        if let end, position < end {
            throw HTTPError.connectionLost(
                ConnectionLoss(
                    stage: .duringBody, reason: "\(end - position) bytes of the content are missing", response: response
                ))
        }
        if total == nil || total == position { report(position, position, exchange) }
        job.keep(sum, of: partial.location.content)
        var response = response
        response.body = .file(partial.location.content)
        return response
    }

    /// Puts the content of any other answer into a file of its own, which the answer's acceptance or refusal decides about.
    private func receiveOther(_ response: HTTPResponse, _ exchange: Exchange) async throws -> HTTPResponse {
        let own = try job.openUnkept()
        let isError = response.statusCode >= 300
        var quiet = exchange
        if isError { quiet.progress = nil }
        return try await receive(
            response, into: own, at: 0, count: nil, total: isError ? nil : response.headers.contentLength, quiet)
    }

    private func report(_ completed: Int64, _ total: Int64?, _ exchange: Exchange) {
        // A total that turns out wrong never makes more than the whole.
        let total = total.flatMap { $0 >= completed ? $0 : nil }
        exchange.progress?.received?(TransferProgress(completed: completed, total: total))
    }

    private static func chunks(of response: HTTPResponse) -> ResponseBody.Chunks {
        switch response.body {
        case .stream(let chunks): return chunks
        case .data(let data):
            return AsyncThrowingStream { [data] continuation in
                continuation.yield(data)
                continuation.finish()
            }
        case .file(let url):
            return AsyncThrowingStream { continuation in
                do {
                    continuation.yield(try Data(contentsOf: url, options: .mappedIfSafe))
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
        }
    }
}
