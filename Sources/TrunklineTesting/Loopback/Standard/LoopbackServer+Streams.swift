import Foundation
import TrunklineHTTP

extension LoopbackServer {
    func addStreamRoutes() {
        route(nil, "/delay/{seconds}") { [host, port] request in
            guard let seconds = Double(request["seconds"] ?? ""), (0...10).contains(seconds) else { return .badCount }
            return .json(RequestEcho(request, host, port)).delayed(by: .seconds(seconds))
        }
        route(.get, "/stream/{count}") { [host, port] request in
            guard let count = LoopbackServer.count(request["count"], limit: 10_000) else { return .badCount }
            let encoder = JSONEncoder.stable
            let echo = RequestEcho(request, host, port)
            let lines = try (0..<count).map {
                try encoder.encode(StreamedLine(id: $0, url: echo.url)) + Data("\n".utf8)
            }
            return .chunked(lines, headers: ["Content-Type": "application/json"])
        }
        route(.get, "/drip") { request in
            guard let count = LoopbackServer.count(request.query("numbytes") ?? "10", limit: 1 << 20),
                let duration = Double(request.query("duration") ?? "2"), (0...60).contains(duration),
                let delay = Double(request.query("delay") ?? "0"), (0...60).contains(delay)
            else { return .badCount }
            let head = "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: \(count)\r\n\r\n"
            let interval = Duration.seconds(duration / Double(max(1, count)))
            return .raw([
                .wait(.seconds(delay)), .send(head),
                .drip(Data(repeating: UInt8(ascii: "*"), count: Int(count)), every: interval),
            ])
        }
        route(.get, "/events/{count}") { request in
            guard let count = LoopbackServer.count(request["count"], limit: 10_000),
                let interval = Double(request.query("interval") ?? "0"), (0...60).contains(interval)
            else { return .badCount }
            // A client that comes again goes on after the last event it has.
            let last = max(0, Int64(request.headers["Last-Event-ID"] ?? request.query("id") ?? "") ?? 0)
            let events = (last..<max(last, count)).map { ServerSentEvent(id: "\($0 + 1)", data: "event \($0 + 1)") }
            return .events(events, every: interval > 0 ? .seconds(interval) : nil)
        }
        webSocket("/echo") { socket in
            while let message = try await socket.receive() { socket.send(message) }
        }
    }

    func addFaultRoutes() {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
        let faults: [(String, [ScriptStep])] = [
            ("close", [.close]),
            ("reset", [.reset]),
            ("truncated", [.send(head + "Content-Length: 1000\r\n\r\nonly this"), .close]),
            ("chunk", [.send(head + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\n"), .close]),
            ("garbage", [.send("\u{7F}ELF this is not HTTP\r\n\r\n"), .close]),
            ("hang", [.waitForClose]),
            (
                "slow",
                [
                    .send(head + "Content-Length: 100\r\n\r\n"),
                    .drip(String(repeating: ".", count: 100), every: .seconds(1)),
                ]
            ),
        ]
        for (name, steps) in faults { route(nil, "/fault/\(name)", respond: .raw(steps)) }
    }
}

private struct StreamedLine: Encodable {
    var id: Int64
    var url: String
}

extension LoopbackResponse {
    /// An event stream (WHATWG HTML, section 9.2), ended after these events.
    ///
    /// - Parameters:
    ///   - events: the events; their `id`, `event` and `retry` are sent where they are set.
    ///   - interval: the pause before every event but the first; none by default.
    public static func events(_ events: [ServerSentEvent], every interval: Duration? = nil) -> LoopbackResponse {
        .chunked(
            events.map { $0.wireText }, every: interval,
            headers: ["Content-Type": "text/event-stream", "Cache-Control": "no-store"])
    }
}

extension ServerSentEvent {
    /// The event as it is sent.
    fileprivate var wireText: String {
        var text = ""
        if !id.isEmpty { text += "id: \(id)\n" }
        if event != "message" { text += "event: \(event)\n" }
        if let retry { text += "retry: \(Int(retry.seconds * 1000))\n" }
        let lines = data.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
        return text + lines.map { "data: \($0)\n" }.joined() + "\n"
    }
}
