/// A stage that tells when it is entered and left.
struct WatchedStage: Interceptor {
    let stage: any Interceptor
    let name: String

    init(_ stage: any Interceptor) {
        self.stage = stage
        name = WatchedStage.name(of: stage)
    }

    func intercept(_ exchange: Exchange, next: Next) async throws -> HTTPResponse {
        guard let events = exchange.events else { return try await stage.intercept(exchange, next: next) }
        let token = events.begin(.stageEntered(name)) { [name] in [.stageLeft(name, $0)] }
        do {
            let response = try await stage.intercept(exchange, next: next)
            events.end(token, [.stageLeft(name, nil)])
            return response
        } catch {
            events.end(token, [.stageLeft(name, HTTPError(error))])
            throw error
        }
    }

    /// The name of the type; of the library's own, without the word "Stage".
    private static func name(of stage: any Interceptor) -> String {
        let name = String(describing: type(of: stage))
        return name.hasSuffix("Stage") ? String(name.dropLast(5)) : name
    }
}
