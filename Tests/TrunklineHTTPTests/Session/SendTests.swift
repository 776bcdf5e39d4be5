import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

/// Where the work of an awaited request runs before its first wait.
@Suite("Sending and waiting in one")
struct SendTests {
    private static func thread() -> ObjectIdentifier { ObjectIdentifier(Thread.current) }

    @Test("A task that was cancelled before it sends hears only that, also of an answer from memory")
    func cancelledBefore() async throws {
        let session = SessionManager(
            transport: StubTransport { .stub(for: $0, json: "[]") },
            cache: ResponseCache(memory: MemoryCacheStore(), disk: nil))
        let request = HTTPRequest(
            url: try #require(URL(string: "http://h/a")),
            options: RequestOptions(cache: .cacheFirst(maxAge: .seconds(60))))
        #expect(try await session.send(request).source == .network)
        #expect(try await session.send(request).source != .network)
        for _ in 0..<50 {
            let task = Task {
                while !Task.isCancelled { await Task.yield() }
                return try await session.send(request)
            }
            task.cancel()
            #expect(ErrorKind(await #expect(throws: HTTPError.self) { try await task.value }) == .cancelled)
        }
    }

    @Test("An interceptor that blocks its thread doesn't keep the cancelled caller")
    func blocked() async throws {
        let (entered, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let blocking = ClosureInterceptor { exchange, next in
            SendTests.block(entered, gate)
            return try await next(exchange)
        }
        let session = SessionManager(
            transport: StubTransport { .stub(for: $0, json: "[]") }, interceptors: [blocking])
        let task = Task { try await session.send("http://h/") }
        await onThread { entered.wait() }
        task.cancel()
        #expect(ErrorKind(await #expect(throws: HTTPError.self) { try await task.value }) == .cancelled)
        gate.signal()
    }

    private static func block(_ entered: DispatchSemaphore, _ gate: DispatchSemaphore) {
        entered.signal()
        gate.wait()
    }

    #if compiler(>=6.2) && !canImport(Darwin)
        @Test("Without interceptors nobody's thread changes before the transport")
        func here() async throws {
            struct Transcript: Transport {
                let threads = Collector<ObjectIdentifier>()
                var capabilities: TransportCapabilities { TransportCapabilities(name: "transcript") }
                func invalidate() {}
                func send(_ exchange: Exchange) async throws -> HTTPResponse {
                    threads.add(SendTests.thread())
                    return .stub(for: exchange, json: "[]")
                }
            }
            let transport = Transcript()
            let session = SessionManager(transport: transport)
            for _ in 0..<50 {
                let caller = SendTests.thread()
                _ = try await session.send("http://h/")
                #expect(transport.threads.all.last == caller)
            }
        }
    #endif
}
