/// What a download or an upload adds to the way of a request: a stage that every attempt passes, and the end, at which the
/// answer is accepted and a file takes its place.
protocol TransferWork: Sendable {
    /// Stands inside retries and outside redirects: it sees every attempt, and the answer after its redirects.
    var attemptStage: (any Interceptor)? { get }

    /// Runs the exchange to its end. Called once at most, in the request's task.
    func run(_ exchange: Exchange, pipeline: Next, validation: ResponseValidation) async throws -> HTTPResponse

    /// The request's outcome is known; `run` may still be on its way out.
    func requestEnded()
}

extension TransferWork {
    var attemptStage: (any Interceptor)? { nil }
    func requestEnded() {}
}
