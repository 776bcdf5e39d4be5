import Foundation

/// The steps of one resumable upload, each decided by what is known then.
struct ResumableUploadRun {
    private let job: ResumableUploadJob
    private let source: UploadSource
    private let kept: UploadStateFile?
    private let exchange: Exchange
    private var dialect: any UploadDialect { job.method.dialect }

    private var state: UploadState?
    /// How many bytes the server has; nil when it has to be asked.
    private var offset: Int64?
    /// The most it ever had.
    private var best: Int64 = -1
    private var failures = 0
    private var detours = 0
    private var restarts = 0
    private var chunkLimit: Int64?
    private let start = ContinuousClock.now

    /// How many conflicts and new beginnings in a row are put up with; they are no failures of the network.
    private static let mostDetours = 3

    init(job: ResumableUploadJob, source: UploadSource, kept: UploadStateFile?, exchange: Exchange) {
        self.job = job
        self.source = source
        self.kept = kept
        self.exchange = exchange
        chunkLimit = job.method.chunkSize
        state = kept?.load().flatMap { $0.fits(source, dialect: job.method.dialect.name, now: job.now()) ? $0 : nil }
    }

    mutating func toTheEnd(_ pipeline: Next) async throws -> HTTPResponse {
        if state == nil { forget() }
        while true {
            try Task.checkCancellation()
            try checkSource()
            let (step, exchange) = try next()
            let response: HTTPResponse
            do {
                response = try await pipeline(exchange)
            } catch {
                try Task.checkCancellation()
                offset = nil
                try await pause(after: .failure(HTTPError(error)))
                continue
            }
            if try await take(dialect.read(response, to: step, length: source.length), response, step) {
                try checkSource()
                forget()
                return response
            }
        }
    }

    /// Works in what the server said. Returns whether the upload is complete.
    private mutating func take(_ answer: UploadAnswer, _ response: HTTPResponse, _ step: UploadStep) async throws
        -> Bool
    {
        if case .create = step, answer != .refused, answer != .later {
            // A complete upload needs no address.
            if answer == .complete, response.headers["Location"] == nil { return true }
            try created(response)
        }
        readLimits(response)
        switch answer {
        case .complete:
            return true
        case .offset(let now):
            let isProgress = now > best
            if isProgress { (best, failures, detours) = (now, 0, 0) }
            offset = now
            if case .append(let end, _) = step, !isProgress || now < end {
                try detour(response)
            }
        case .unknownOffset:
            offset = nil
            try detour(response)
        case .gone:
            forget()
            restarts += 1
            if restarts > ResumableUploadRun.mostDetours { throw stalled(response) }
        case .later:
            offset = nil
            try await pause(after: .success(response))
        case .refused:
            throw refusal(response)
        case .nonsense(let reason):
            forget()
            throw HTTPError.transfer(.uploadProtocol(reason: reason))
        }
        return false
    }

    // MARK: - Requests

    private func next() throws -> (UploadStep, Exchange) {
        guard let state, let url = URL(string: state.upload) else { return try creation() }
        guard let offset else {
            var query = request(.head, url)
            dialect.prepareQuery(&query)
            return (.query, self.exchange(query, at: max(best, 0), count: 0))
        }
        let rest = source.length - offset
        let count = min(rest, max(1, chunkLimit ?? rest))
        var append = request(.patch, url)
        append.body = count > 0 ? source.body(from: offset, count: count) : .data(Data())
        let digest = dialect.sendsChecksums ? try source.digest(from: offset, count: count) : nil
        dialect.prepareAppend(&append, offset: offset, isLast: count == rest, digest: digest)
        return (.append(end: offset + count, isLast: count == rest), self.exchange(append, at: offset, count: count))
    }

    private func creation() throws -> (UploadStep, Exchange) {
        var creation = request(exchange.request.method, exchange.request.url)
        var sent: Int64 = 0
        if dialect.sendsContentAtCreation, source.length > 0 {
            sent = min(source.length, max(1, chunkLimit ?? source.length))
            creation.body = source.body(from: 0, count: sent)
        }
        try dialect.prepareCreation(&creation, length: source.length, file: source.file)
        return (.create(sent: sent), exchange(creation, at: 0, count: sent))
    }

    /// The caller's request with another address. Credentials stay with their origin (as in RFC 9110, section 15.4).
    private func request(_ method: HTTPMethod, _ url: URL) -> HTTPRequest {
        var request = exchange.request
        request.method = method
        request.url = url
        request.headers.remove("Content-Type")
        // The steps are taken again here, each from where the server is.
        request.options.retry = .never
        if Origin(url) != Origin(exchange.request.url) {
            for name in ["Authorization", "Cookie", "Proxy-Authorization"] { request.headers.remove(name) }
            request.options.signing = nil
        }
        return request
    }

    private func exchange(_ request: HTTPRequest, at offset: Int64, count: Int64) -> Exchange {
        var exchange = exchange
        exchange.request = request
        exchange.progress =
            count > 0
            ? ProgressObserver(
                sent: job.meter.begin(
                    at: offset, count: count, total: source.length, for: self.exchange.progress?.sent))
            : nil
        return exchange
    }

    // MARK: - State

    private mutating func created(_ response: HTTPResponse) throws {
        guard let location = response.headers["Location"]?.trimmingCharacters(in: .whitespaces),
            let url = URL(string: location, relativeTo: response.url)?.absoluteURL
        else {
            throw HTTPError.transfer(.uploadProtocol(reason: "the upload was created without a usable Location"))
        }
        try HTTPRequest.validate(url: url)
        guard url.scheme?.lowercased() == "https" || response.url.scheme?.lowercased() != "https" else {
            throw HTTPError.transfer(.uploadProtocol(reason: "the upload was created on an unencrypted address"))
        }
        keep(
            UploadState(
                upload: url.absoluteString, endpoint: exchange.request.url.absoluteString, dialect: dialect.name,
                length: source.length, modified: source.modified))
        best = -1
    }

    private mutating func keep(_ state: UploadState?) {
        guard state != self.state else { return }
        self.state = state
        kept?.save(state)
    }

    private mutating func forget() {
        state = nil
        offset = nil
        kept?.save(nil)
    }

    private func checkSource() throws(HTTPError) {
        do {
            try source.check()
        } catch {
            kept?.save(nil)
            throw error
        }
    }

    /// What the server says about the upload's life and its requests: `Upload-Expires` (tus), `Upload-Limit` (draft).
    private mutating func readLimits(_ response: HTTPResponse) {
        var expires = response.headers["Upload-Expires"].flatMap { HTTPDate.parse($0) }
        for item in (response.headers["Upload-Limit"] ?? "").split(separator: ",") {
            let pair = item.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard pair.count == 2, let value = Int64(pair[1]), value >= 0 else { continue }
            switch pair[0] {
            case "max-append-size" where value > 0: chunkLimit = min(chunkLimit ?? value, value)
            case "expires": expires = job.now().addingTimeInterval(Double(value))
            default: break
            }
        }
        guard let expires, var state else { return }
        state.expires = expires
        keep(state)
    }

    // MARK: - Patience

    /// Waits as the retry policy says, or throws the outcome when it has no patience left.
    private mutating func pause(after outcome: Result<HTTPResponse, HTTPError>) async throws {
        var policy = job.retry
        policy.allowsNonIdempotent = true
        // "Locked": an older request holds the upload until the server notices that nobody is there.
        policy.statuses.insert(423)
        let delay = RetryDecision.delay(
            after: outcome.mapError { $0 }, request: HTTPRequest(method: .head, url: exchange.request.url),
            policy: policy, retries: failures, elapsed: ContinuousClock.now - start, jitter: .random(in: 0..<1),
            now: job.now())
        guard let delay else {
            let response = try outcome.get()
            throw refusal(response)
        }
        failures += 1
        exchange.events?.send(
            .retryScheduled(
                Event.Retry(reason: .init(outcome.mapError { $0 }), delay: delay, attempt: exchange.attempt)))
        try await job.sleep(delay)
    }

    /// The server's word is taken without a wait, but not for ever.
    private mutating func detour(_ response: HTTPResponse) throws(HTTPError) {
        detours += 1
        if detours > ResumableUploadRun.mostDetours { throw stalled(response) }
    }

    private func stalled(_ response: HTTPResponse) -> HTTPError {
        response.isSuccess
            ? .transfer(.uploadStalled(offset: max(0, best)))
            : refusal(response)
    }

    private func refusal(_ response: HTTPResponse) -> HTTPError {
        .validation(
            ValidationFailure(
                reason: .unacceptableStatus(response.statusCode), response: response,
                serverError: response.request.options.serverError?.error(in: response)))
    }
}
