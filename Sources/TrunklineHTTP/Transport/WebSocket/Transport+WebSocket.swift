extension Transport {
    /// Refuses: a transport that can open WebSockets says so in ``TransportCapabilities/Features/webSockets`` and has its
    /// own method.
    public func openWebSocket(_ exchange: Exchange, options: WebSocketOptions) async throws -> WebSocketAnswer {
        throw HTTPError.unsupported(feature: "WebSocket", platform: "the transport \(capabilities.name)")
    }
}
