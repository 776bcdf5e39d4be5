import Foundation

/// A transport that answers from a closure: the whole pipeline runs over it, and nothing touches the network.
///
///     let session = SessionManager(transport: StubTransport { exchange in
///         .stub(for: exchange, json: #"{"title": "Emma"}"#)
///     })
public final class StubTransport: Transport {
    /// Answers an exchange. Runs in the request's task, so it is cancelled with it.
    public typealias Answer = @Sendable (Exchange) async throws -> HTTPResponse

    private let answer: Answer
    private let received = Protected<[HTTPRequest]>([])

    /// Makes a transport that answers with `answer`.
    public init(_ answer: @escaping Answer) { self.answer = answer }

    /// The requests that reached the transport, in order.
    public var requests: [HTTPRequest] { received.withLock { $0 } }

    public var capabilities: TransportCapabilities { TransportCapabilities(name: "stub") }

    public func send(_ exchange: Exchange) async throws -> HTTPResponse {
        received.withLock { $0.append(exchange.request) }
        return try await answer(exchange)
    }

    public func invalidate() {}
}

extension HTTPResponse {
    /// An answer to the exchange's request.
    public static func stub(
        for exchange: Exchange, status: Int = 200, headers: HTTPHeaders = [:], data: Data = Data()
    ) -> HTTPResponse {
        HTTPResponse(request: exchange.request, statusCode: status, headers: headers, body: .data(data))
    }

    /// A JSON answer to the exchange's request.
    public static func stub(
        for exchange: Exchange, status: Int = 200, headers: HTTPHeaders = [:], json: String
    ) -> HTTPResponse {
        stub(
            for: exchange, status: status, headers: headers.merging(["Content-Type": "application/json"]),
            data: Data(json.utf8))
    }
}
