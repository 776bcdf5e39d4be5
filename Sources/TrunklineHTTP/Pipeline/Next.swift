/// The rest of the pipeline, to be called like a function. A stage may call it more than once; each call runs the stages
/// after it again.
public struct Next: Sendable {
    private let stages: [any Interceptor]
    private let transport: any Transport
    private let index: Int

    /// The pipeline of these stages, ending in the transport.
    init(stages: [any Interceptor], transport: any Transport, index: Int = 0) {
        self.stages = stages
        self.transport = transport
        self.index = index
    }

    /// A pipeline that is only the transport: to test a stage by hand.
    public init(transport: any Transport) {
        self.init(stages: [], transport: transport)
    }

    /// Runs the rest of the pipeline. The request is validated right before the transport, so that whatever an
    /// interceptor put in is checked too.
    public func callAsFunction(_ exchange: Exchange) async throws -> HTTPResponse {
        guard index < stages.count else {
            try exchange.request.validate()
            guard let gate = exchange.gate else { return try await transport.send(exchange) }
            try await gate.waitUntilOpen()
            let response = try await transport.send(exchange)
            // A transport that can't hold a transfer may have finished it.
            try await gate.waitUntilOpen()
            return response
        }
        return try await stages[index].intercept(
            exchange, next: Next(stages: stages, transport: transport, index: index + 1))
    }
}
