import Foundation
import TrunklineHTTP

/// The requests whose ways the page shows.
struct DemoRequests {
    let session: SessionManager
    let base: URL

    func send() async {
        let cached = RequestOptions(cache: .cacheFirst(maxAge: .seconds(600)))
        let bearer: HTTPHeaders = [.bearer("client-secret"), .accept("application/json")]
        await send(.get("\(base)/books", parameters: ["page": 1, "sort": "title"], headers: bearer, options: cached))
        await send(.get("\(base)/old-books"))
        await send(.get("\(base)/cover.png"))
        await send(.get("\(base)/books", parameters: ["page": 1, "sort": "title"], headers: bearer, options: cached))
        await send(.get("\(base)/flaky"))
        let order = RequestBody.data(
            Data(#"{"book":42,"copies":2,"password":"body-secret","note":"it's a gift"}"#.utf8),
            contentType: "application/json")
        await send(.post("\(base)/orders", parameters: ["api_key": "query-secret"], headers: bearer, body: order))
        await send(.put("\(base)/orders/A-1009", parameters: ["copies": 3]))
        await send(.get("\(base)/missing"))
        await send(.get("\(base)/broken", options: RequestOptions(retry: .never)))
        await send(.get("\(base)/gone", options: RequestOptions(retry: .never)))
        await send(.get("\(base)/export.csv", parameters: ["year": 2026]))
        await send(.get("\(base)/hostile", parameters: ["q": "<script>alert(3)</script>"]))
        let cancelled = session.request("\(base)/live")
        cancelled.cancel()
        _ = try? await cancelled.response()
        await send(.delete("not a url"))
        // Is under way for as long as the program runs.
        let endless = RequestOptions(timeouts: Timeouts(idle: nil))
        session.request(.get("\(base)/live", options: endless))
    }

    private func send(_ endpoint: Endpoint) async { _ = try? await session.send(endpoint) }
}
