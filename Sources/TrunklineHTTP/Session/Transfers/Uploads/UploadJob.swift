/// An upload in one request: its content is made when the request runs, and every attempt is metered anew.
struct UploadJob: TransferWork {
    let content: UploadContent
    let meter = UploadMeter()

    var attemptStage: (any Interceptor)? { UploadStage(meter: meter) }

    func run(_ exchange: Exchange, pipeline: Next, validation: ResponseValidation) async throws -> HTTPResponse {
        var exchange = exchange
        try exchange.request.setEncodedBody(try await content.body())
        try exchange.request.refuseBodyOfSafeMethod()
        exchange.request.applyBodyContentType()
        let response = try await pipeline(exchange)
        try validation.validate(response)
        meter.complete(for: exchange.progress?.sent)
        return response
    }
}

/// The stage of an upload inside retries.
struct UploadStage: Interceptor {
    let meter: UploadMeter

    func intercept(_ exchange: Exchange, next: Next) async throws -> HTTPResponse {
        let length = exchange.request.body?.contentLength
        var exchange = exchange
        var progress = exchange.progress ?? ProgressObserver()
        progress.sent = meter.begin(count: length, total: length, for: progress.sent)
        exchange.progress = progress
        return try await next(exchange)
    }
}
