import Foundation

/// Makes HAR entries of what happened, with what is secret masked. Pure, so that a file and a comparison with one say the
/// same.
package struct HARBuilder: Sendable {
    let redaction: Redaction
    /// The most bytes of each content.
    let maximumBodyBytes: Int

    package init(redaction: Redaction, maximumBodyBytes: Int) {
        self.redaction = redaction
        self.maximumBodyBytes = max(0, maximumBodyBytes)
    }

    /// The entry of an attempt.
    ///
    /// - Parameters:
    ///   - start: when it began.
    ///   - elapsed: how long it took, as its monitors saw it.
    ///   - cache: what the cache decided about the request, where it was asked.
    package func entry(
        _ attempt: Event.Attempt, _ end: Event.AttemptEnd, of id: RequestID, start: Date, elapsed: Duration,
        cache: CacheEvent? = nil
    ) -> HAREntry {
        let metrics = end.outcome.answer?.metrics
        let timings = HARTimings(metrics, elapsed: elapsed)
        let peer = metrics?.remoteAddress.flatMap(HARBuilder.peer)
        return HAREntry(
            startedDateTime: HARDate.text(start), time: timings.total,
            request: request(attempt.request, spoken: metrics?.networkProtocol),
            response: response(end, redaction.coveringCredential(of: attempt.request)),
            cache: HARCache(comment: cache?.name), timings: timings, serverIPAddress: peer?.address,
            connection: peer?.port, requestID: id.value, attempt: attempt.attempt,
            traceParent: attempt.request.headers["traceparent"])
    }

    /// The entry of an answer that came from the cache.
    package func cached(
        _ response: HTTPResponse, of id: RequestID, start: Date, elapsed: Duration, cache: CacheEvent?
    ) -> HAREntry {
        let end = Event.AttemptEnd(
            outcome: .success(response), contentBytes: Int64(response.data.count), isContentWhole: true)
        let entry = HARCacheEntry(lastAccess: HARDate.text(start), eTag: response.headers["ETag"] ?? "")
        let timings = HARTimings(wait: elapsed.seconds * 1000)
        return HAREntry(
            startedDateTime: HARDate.text(start), time: timings.total, request: request(response.request, spoken: nil),
            response: self.response(end, redaction.coveringCredential(of: response.request)),
            cache: HARCache(beforeRequest: entry, afterRequest: entry, comment: cache?.name ?? "hit"),
            timings: timings, fromCache: "memory", requestID: id.value)
    }

    /// A request as it is written; also what a request is compared with on replay.
    package func request(_ request: HTTPRequest, spoken: String? = nil) -> HARRequest {
        let redaction = redaction.coveringCredential(of: request)
        let url = HARBuilder.url(request.url.absoluteString, redaction)
        return HARRequest(
            method: request.method.rawValue, url: url, httpVersion: HARBuilder.version(spoken),
            cookies: HARBuilder.cookies(request.headers, redaction),
            headers: [HARField](redaction.headers(request.headers)), queryString: HARBuilder.query(url),
            postData: request.body.map { postData($0, request, redaction) },
            bodySize: request.body.map { $0.contentLength ?? -1 } ?? 0)
    }

    private func response(_ end: Event.AttemptEnd, _ redaction: Redaction) -> HARResponse {
        var error: HTTPError?
        if case .failure(let failure) = end.outcome { error = failure }
        let words = error.map { redaction.text($0.description) }
        let failure = error.map { HARFailure($0).rawValue }
        guard let response = end.outcome.answer else {
            return HARResponse(status: 0, httpVersion: "", error: words, failure: failure)
        }
        let headers = response.headers
        return HARResponse(
            status: response.statusCode, statusText: StatusPhrase.of(response.statusCode),
            httpVersion: HARBuilder.version(response.metrics?.networkProtocol),
            cookies: HARBuilder.setCookies(headers, redaction), headers: [HARField](redaction.headers(headers)),
            content: content(response, end, redaction),
            redirectURL: (300..<400).contains(response.statusCode)
                ? headers["Location"].map { HARBuilder.url($0, redaction) } ?? "" : "",
            bodySize: response.metrics?.bytesReceived ?? -1, error: words, failure: failure,
            trailers: response.trailers.isEmpty ? nil : [HARField](redaction.headers(response.trailers)))
    }

    // MARK: - Contents

    private func content(_ response: HTTPResponse, _ end: Event.AttemptEnd, _ redaction: Redaction) -> HARContent {
        let type = response.headers["Content-Type"] ?? ""
        let size = max(end.contentBytes, Int64(response.data.count))
        var content = shown(response.data, type: type, redaction)
        content.size = size
        if Int64(response.data.count) < size, content.comment == nil {
            content.comment = response.data.isEmpty ? "the content was not kept" : "the content was not kept whole"
        }
        if let received = response.metrics?.bytesReceived, response.headers.contains("Content-Encoding"),
            received < size
        {
            content.compression = size - received
        }
        return content
    }

    /// Bytes as they may be shown: masked, then cut.
    private func shown(_ data: Data, type: String, _ redaction: Redaction) -> HARContent {
        guard !data.isEmpty else { return HARContent(mimeType: type) }
        // Too much to be searched for secrets.
        guard data.count <= max(8 << 20, maximumBodyBytes) else {
            return HARContent(mimeType: type, comment: "the content was too large to be kept")
        }
        guard let text = redaction.text(of: data, contentType: type.isEmpty ? nil : type) else {
            var content = HARContent(data.prefix(maximumBodyBytes), mimeType: type)
            if data.count > maximumBodyBytes { content.comment = "the content was not kept whole" }
            return content
        }
        guard text.utf8.count > maximumBodyBytes else { return HARContent(mimeType: type, text: text) }
        return HARContent(
            mimeType: type, text: String(decoding: text.utf8.prefix(maximumBodyBytes), as: UTF8.self),
            comment: "the content was not kept whole")
    }

    private func postData(_ body: RequestBody, _ request: HTTPRequest, _ redaction: Redaction) -> HARPostData {
        let type = request.headers["Content-Type"] ?? body.contentType ?? ""
        if let form = body.form { return HARPostData(mimeType: type, params: parameters(form, redaction)) }
        switch body.source {
        case .data(let data):
            return postData(data, type: type, redaction)
        case .file(let url, let length):
            guard length <= Int64(maximumBodyBytes), let data = try? Data(contentsOf: url) else {
                return HARPostData(mimeType: type, comment: "\(length) bytes of a file")
            }
            return postData(data, type: type, redaction)
        case .stream(let length, _, _):
            return HARPostData(mimeType: type, comment: length.map { "\($0) bytes of a stream" } ?? "a stream")
        }
    }

    private func postData(_ data: Data, type: String, _ redaction: Redaction) -> HARPostData {
        let content = shown(data, type: type, redaction)
        var post = HARPostData(
            mimeType: type, text: content.text ?? "", encoding: content.encoding, comment: content.comment)
        if MediaType(type)?.essence == "application/x-www-form-urlencoded" {
            post.params = HARBuilder.items(post.text).map { HARParameter(name: $0.name, value: $0.value) }
        }
        return post
    }

    private func parameters(_ form: MultipartFormData, _ redaction: Redaction) -> [HARParameter] {
        form.parts.map { part in
            var value: String?
            if case .data(let data) = part.content, data.count <= maximumBodyBytes, part.fileName == nil {
                let text = HARText.text(data)
                if text.encoding == nil {
                    value =
                        redaction.hidesField(part.name)
                        ? Redaction.mask : redaction.field(redaction.text(text.text), named: part.name)
                }
            }
            return HARParameter(
                name: part.name, value: value, fileName: part.fileName, contentType: part.contentType)
        }
    }
}
