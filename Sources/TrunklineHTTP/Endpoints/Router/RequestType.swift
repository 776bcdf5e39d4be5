import Foundation

/// A ready ``Request``: `RequestType<[Film]>(requestFactory: factory)`.
public struct RequestType<Response: Sendable>: Request {
    public var requestFactory: RequestFactory
    public var responseQueue: DispatchQueue
    public var requestParser: RequestParser<Response>

    /// Makes a request whose answer is read by a parser.
    ///
    /// - Parameters:
    ///   - requestFactory: makes the request.
    ///   - responseQueue: where the completion runs; by default the main queue.
    ///   - requestParser: reads the answer.
    public init(
        requestFactory: RequestFactory, responseQueue: DispatchQueue = .main, requestParser: RequestParser<Response>
    ) {
        self.requestFactory = requestFactory
        self.responseQueue = responseQueue
        self.requestParser = requestParser
    }
}

extension RequestType where Response: Decodable {
    /// Makes a request whose answer is JSON.
    ///
    /// - Parameters:
    ///   - requestFactory: makes the request.
    ///   - responseQueue: where the completion runs; by default the main queue.
    ///   - decoder: decodes the content.
    public init(
        requestFactory: RequestFactory, responseQueue: DispatchQueue = .main, decoder: JSONDecoder = JSONDecoder()
    ) {
        self.init(
            requestFactory: requestFactory, responseQueue: responseQueue, requestParser: .json(decoder: decoder))
    }
}

extension RequestType where Response == Void {
    /// Makes a request whose answer says all by its status.
    ///
    /// - Parameters:
    ///   - requestFactory: makes the request.
    ///   - responseQueue: where the completion runs; by default the main queue.
    public init(requestFactory: RequestFactory, responseQueue: DispatchQueue = .main) {
        self.init(
            requestFactory: requestFactory, responseQueue: responseQueue, requestParser: .ignoringContent)
    }
}
