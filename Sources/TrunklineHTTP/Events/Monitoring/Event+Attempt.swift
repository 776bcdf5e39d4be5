import Foundation

extension Event {
    /// One request as a transport sends it. A redirect's hop, a retry, a replay and a hedge are attempts of their own.
    public struct Attempt: Sendable {
        /// Its place among the attempts of its request, by their start, from 1. Hedged attempts overlap.
        public let number: Int
        /// How often the request had been sent again, plus 1 (``Exchange/attempt``): redirects and hedges don't count.
        public let attempt: Int
        /// What goes out.
        public let request: HTTPRequest
        /// The span of the attempt; nil without ``SessionConfiguration/tracing``.
        public let trace: TraceContext?

        /// Makes an attempt: for tests of monitors.
        public init(number: Int, attempt: Int, request: HTTPRequest, trace: TraceContext? = nil) {
            self.number = number
            self.attempt = attempt
            self.request = request
            self.trace = trace
        }
    }

    /// How an attempt ended.
    public struct AttemptEnd: Sendable {
        /// The answer, or what the attempt failed with. The body of an answer that was streamed, or went into a file, is
        /// empty here unless a monitor asks for ``EventDetails/content``: then it is what was kept.
        public let outcome: Outcome
        /// The bytes of content that arrived, decoded.
        public let contentBytes: Int64
        /// Whether the outcome's body is the whole content.
        public let isContentWhole: Bool

        /// Makes an end: for tests of monitors.
        public init(outcome: Outcome, contentBytes: Int64, isContentWhole: Bool) {
            self.outcome = outcome
            self.contentBytes = contentBytes
            self.isContentWhole = isContentWhole
        }
    }

    /// A redirect that is followed.
    public struct Redirect: Sendable {
        /// The redirect response.
        public let response: HTTPResponse
        /// What is sent next.
        public let request: HTTPRequest

        /// Makes a redirect: for tests of monitors.
        public init(response: HTTPResponse, request: HTTPRequest) {
            self.response = response
            self.request = request
        }
    }

    /// A request that will be sent again.
    public struct Retry: Sendable {
        /// Why a request is sent again.
        public enum Reason: Sendable {
            /// The status of the answer, by the ``RetryPolicy``.
            case status(Int)
            /// The failure, by the ``RetryPolicy``.
            case failure(HTTPError)
            /// The credential was refused, and there is another now.
            case credentialRefused
            /// An event stream connects anew; with what its connection failed with, nil when it had ended.
            case reconnection(HTTPError?)
        }

        /// Why.
        public let reason: Reason
        /// The wait before it.
        public let delay: Duration
        /// The ``Attempt/attempt`` it will be.
        public let attempt: Int

        /// Makes a retry: for tests of monitors.
        public init(reason: Reason, delay: Duration, attempt: Int) {
            self.reason = reason
            self.delay = delay
            self.attempt = attempt
        }
    }
}

extension Event.Retry.Reason {
    /// The reason of a retry after an outcome.
    init(_ outcome: Result<HTTPResponse, any Error>) {
        switch outcome {
        case .success(let response): self = .status(response.statusCode)
        case .failure(let error): self = .failure(HTTPError(error))
        }
    }
}
