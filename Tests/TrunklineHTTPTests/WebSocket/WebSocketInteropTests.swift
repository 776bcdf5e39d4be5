import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

/// Against Python's `websockets`, which shares no line with this library.
@Suite(
    .enabled(if: PythonWebSockets.isThere, "Python's websockets is not installed (python3-websockets)"), .serialized)
struct WebSocketInteropTests {
    @Test func `messages, fragments, pings, subprotocols and closes`() async throws {
        let peer = try await HeavyWork.run { try PythonWebSockets() }
        let session = SessionManager(transport: try CurlTransport())
        let socket = session.webSocket("ws://127.0.0.1:\(peer.port)/echo", protocols: ["a", "b"])
        let large = LoopbackPattern(seed: 8).bytes(count: 5 << 20)
        let messages: [WebSocketMessage] = [
            .text("Gr\u{FC}\u{DF}e \u{1F600}"), .text(""), .binary(Data()), .binary(large),
            .text(String(repeating: "\u{E9}", count: 100_000)),
        ]
        let sender = Task {
            for message in messages { try await socket.send(message) }
        }
        var iterator = socket.messages.makeAsyncIterator()
        for message in messages {
            let received = try await iterator.next()
            #expect(received == message)
        }
        try await sender.value
        #expect(socket.subprotocol == "b")
        #expect(try await socket.ping() > .zero)
        try socket.close(code: WebSocketCloseCode(4002), reason: "enough")
        #expect(try await socket.closed().code == WebSocketCloseCode(4002))

        let fragments = session.webSocket("ws://127.0.0.1:\(peer.port)/fragments")
        #expect(try await fragments.messages.first { _ in true } == .text("Hello, w\u{F6}rld"))
        let closed = session.webSocket("ws://127.0.0.1:\(peer.port)/close")
        #expect(try await closed.closed() == WebSocketClosure(code: WebSocketCloseCode(4000), reason: "why"))
        let refused = session.webSocket("ws://127.0.0.1:\(peer.port)/echo", interceptors: [Breaking()])
        let error = await #expect(throws: HTTPError.self) { try await refused.opened() }
        guard case .validation(let failure) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.reason == .unacceptableStatus(403))
    }

    @Test func `the loopback server's side, against its client`() async throws {
        let server = try LoopbackServer { server in
            server.webSocket("/echo", protocols: ["b"]) { socket in
                while let message = try await socket.receive() { socket.send(message) }
            }
            server.webSocket("/close") { $0.close(code: WebSocketCloseCode(4000), reason: "why") }
        }
        let script = """
            import asyncio, sys, websockets
            async def main():
                base = open(sys.argv[1]).read()
                async with websockets.connect(base + "/echo", subprotocols=["a", "b"], max_size=2**25) as ws:
                    print(ws.subprotocol)
                    for message in ["Gr\u{FC}\u{DF}e", "", b"\\x00\\xff", b"x" * 3000000]:
                        await ws.send(message)
                        print(await ws.recv() == message)
                    await ws.send(["a", "b", "c"])
                    print(await ws.recv())
                    await (await ws.ping())
                    await ws.close(4001, "done")
                    print(ws.close_code)
                async with websockets.connect(base + "/close") as ws:
                    try:
                        await ws.recv()
                    except websockets.ConnectionClosed as error:
                        print(ws.close_code, ws.close_reason)
            asyncio.run(main())
            """
        let lines = try await HeavyWork.run {
            try ChildProcess.python(script, lines: ["ws://127.0.0.1:\(server.port)"])
        }
        #expect(lines == ["b", "True", "True", "True", "True", "abc", "4001", "4000 why"])
    }

    /// Asks for something the peer refuses.
    private struct Breaking: Interceptor {
        func intercept(_ exchange: Exchange, next: Next) async throws -> HTTPResponse {
            var exchange = exchange
            exchange.request.headers.set("X-Refuse", "1")
            return try await next(exchange)
        }
    }
}

/// An echo server of Python's `websockets`.
private final class PythonWebSockets: Sendable {
    static let isThere: Bool = {
        guard let python = ChildProcess.python else { return false }
        return (try? ChildProcess.run(python, ["-c", "import websockets"]).exitStatus) == 0
    }()

    let port: Int
    private let process: Process
    private let input = ChildProcess.pipe()

    init() throws {
        let script = """
            import asyncio, http, sys, websockets
            def path(ws): return getattr(ws, "path", None) or ws.request.path
            async def handler(ws, *rest):
                if path(ws) == "/close":
                    await ws.close(4000, "why")
                elif path(ws) == "/fragments":
                    await ws.send(["Hel", "lo, w\\u00f6", "rld"])
                try:
                    async for message in ws: await ws.send(message)
                except websockets.ConnectionClosed:
                    pass
            async def refuse(*asked):
                # The older interface gives path and fields, the newer one connection and request.
                if isinstance(asked[0], str):
                    if "X-Refuse" in asked[1]: return http.HTTPStatus.FORBIDDEN, [], b"no"
                elif "X-Refuse" in asked[1].headers: return asked[0].respond(http.HTTPStatus.FORBIDDEN, "no")
            async def main():
                async with websockets.serve(
                    handler, "127.0.0.1", 0, max_size=2**25, subprotocols=["b"], process_request=refuse,
                    ping_interval=0.2) as server:
                    print(server.sockets[0].getsockname()[1], flush=True)
                    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
            asyncio.run(main())
            """
        let output = ChildProcess.pipe()
        process = Process()
        process.executableURL = ChildProcess.python
        process.arguments = ["-c", script]
        process.standardInput = input
        process.standardOutput = output
        try ChildProcess.launch(process)
        var line = Data()
        while line.last != 0x0A {
            let byte = output.fileHandleForReading.readData(ofLength: 1)
            if byte.isEmpty { break }
            line.append(byte)
        }
        port = try #require(Int(String(decoding: line.dropLast(), as: UTF8.self)))
    }

    deinit {
        try? input.fileHandleForWriting.close()
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
