/// Stage 3: identical GET and HEAD requests that are in flight at the same time share one exchange.
///
/// The exchange runs in a task of its own, which has no part in any request's cancellation, total limit or task-local
/// values. A request that is cancelled or runs out of its time leaves alone; when the last one has left, the exchange is
/// cancelled. It has the priority of the request that began it. All get the same response or the same error, in the order
/// they came, and hear its progress from the moment they joined. When it has ended, the next request begins anew.
struct CoalescingStage: Interceptor {
    let isOn: Bool
    let exchanges = SharedExchanges()

    func intercept(_ exchange: Exchange, next: Next) async throws -> HTTPResponse {
        guard exchange.request.options.coalesces ?? isOn, let key = CoalescingKey(exchange) else {
            return try await next(exchange)
        }
        return try await exchanges.response(to: exchange, key: key, next: next)
    }
}
