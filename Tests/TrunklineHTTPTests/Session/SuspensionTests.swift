import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

extension Protected where Value == DataRequest? {
    /// What is in it, which is nothing from then on.
    fileprivate func take() -> DataRequest? {
        withLock { value in
            defer { value = nil }
            return value
        }
    }
}

@Suite("Suspending a request")
struct SuspensionTests {
    /// The numbers of a progress observer, latest last.
    private final class Meter: Sendable {
        let latest = Protected<Int64>(0)
        func note(_ progress: TransferProgress) { latest.withLock { $0 = progress.completed } }

        /// Whether the number stays what it is for a while, after what was on its way has arrived.
        func stands() async -> Bool {
            var last = latest.current
            var still = 0
            return await eventually {
                let now = latest.current
                still = now == last ? still + 1 : 0
                last = now
                return still >= 20
            }
        }
    }

    private func session(_ timeouts: Timeouts = Timeouts()) throws -> SessionManager {
        SessionManager(
            configuration: SessionConfiguration(timeouts: timeouts, startsRequestsImmediately: false),
            transport: try CurlTransport())
    }

    @Test("A response body stops in the middle, no limit counts meanwhile, and every byte arrives")
    func download() async throws {
        let count: Int64 = 48_000_000
        let server = try LoopbackServer { $0.route(.get, "/", respond: .generated(count: count, seed: 5)) }
        let session = try session(Timeouts(idle: .milliseconds(700)))
        let meter = Meter()
        let handle = Protected<DataRequest?>(nil)
        let request = session.request(
            try server.request(.get, "/"),
            progress: ProgressObserver(received: { progress in
                meter.note(progress)
                if progress.completed > 1_000_000 { handle.take()?.suspend() }
            }))
        handle.withLock { $0 = request }
        request.resume()
        #expect(await eventually { request.state == .suspended })
        #expect(await meter.stands())
        let held = meter.latest.current
        #expect(held < count)
        // Longer than the idle limit.
        let until = ContinuousClock.now + .seconds(1)
        #expect(await eventually { ContinuousClock.now > until })
        #expect(meter.latest.current == held && request.state == .suspended)
        request.resume()
        let response = try await request.response()
        #expect(response.data == LoopbackPattern(seed: 5).bytes(count: Int(count)))
    }

    @Test("A request body stops in the middle, and every byte arrives")
    func upload() async throws {
        let server = try LoopbackServer { server in
            server.route(.post, "/") { request in .text(String(request.body.count)) }
        }
        let session = try session()
        let file = try ScratchFile(Data(repeating: 7, count: 40_000_000))
        let meter = Meter()
        let handle = Protected<DataRequest?>(nil)
        var upload = try server.request(.post, "/")
        upload.body = try .file(file.url)
        let request = session.request(
            upload,
            progress: ProgressObserver(sent: { progress in
                meter.note(progress)
                if progress.completed > 1_000_000 { handle.take()?.suspend() }
            }))
        handle.withLock { $0 = request }
        request.resume()
        #expect(await eventually { request.state == .suspended })
        #expect(await meter.stands())
        #expect(meter.latest.current < 40_000_000)
        request.resume()
        #expect(try await request.string() == "40000000")
    }

    @Test("A request suspended before its connection is there is not sent", arguments: TransportKind.allCases)
    func beforeTheSend(kind: TransportKind) async throws {
        let server = try LoopbackServer { $0.fallback(respond: .text("x")) }
        let opened = LoopbackGate()
        let holding = ClosureInterceptor { exchange, next in
            try await opened.wait()
            return try await next(exchange)
        }
        let session = SessionManager(transport: kind.make())
        let request = session.request(try server.request(), interceptors: [holding])
        request.suspend()
        opened.open()
        let until = ContinuousClock.now + .milliseconds(200)
        #expect(await eventually { ContinuousClock.now > until })
        #expect(server.connectionCount == 0 && request.state == .suspended)
        request.resume()
        #expect(try await request.string() == "x")
    }

    @Test("An answer that arrives on a transport that can't hold it is held", arguments: TransportKind.allCases)
    func outcome(kind: TransportKind) async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer { server in
            server.route(.get, "/") { _ in
                var response = LoopbackResponse.text("x")
                response.gate = gate
                return response
            }
        }
        let session = SessionManager(transport: kind.make())
        let request = session.request(try server.request(.get, "/"))
        #expect(await eventually { server.requests.count == 1 })
        request.suspend()
        gate.open()
        let until = ContinuousClock.now + .milliseconds(200)
        #expect(await eventually { ContinuousClock.now > until })
        #expect(request.state == .suspended)
        request.resume()
        #expect(try await request.string() == "x")
    }

    @Test("The total limit stands still while the request is suspended, and counts on after that")
    func total() async throws {
        let stub = StubTransport { _ in
            try await Task.sleep(for: .seconds(60))
            throw HTTPError.offline
        }
        let session = SessionManager(
            configuration: SessionConfiguration(timeouts: Timeouts(total: .milliseconds(500))), transport: stub)
        let request = session.request("http://h/")
        request.suspend()
        let until = ContinuousClock.now + .seconds(1)
        #expect(await eventually { ContinuousClock.now > until })
        #expect(request.state == .suspended)
        request.resume()
        let error = await #expect(throws: HTTPError.self) { try await request.response() }
        guard case .timedOut(.total) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("A cancel ends a suspended request at once")
    func cancel() async throws {
        let server = try LoopbackServer { $0.route(.get, "/", respond: .generated(count: 50_000_000)) }
        let session = try session()
        let request = session.request(try server.request(.get, "/")).resume()
        request.suspend()
        request.cancel()
        let error = await #expect(throws: HTTPError.self) { try await request.response() }
        guard case .cancelled = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(await eventually { server.openConnections == 0 })
    }

    @Test("64 threads that start, suspend, resume and cancel one request end it once")
    func race() async throws {
        let server = try LoopbackServer { $0.fallback(respond: .generated(count: 200_000)) }
        let session = SessionManager(
            configuration: SessionConfiguration(startsRequestsImmediately: false), transport: try CurlTransport())
        for round in 0..<500 {
            let request = session.request(try server.request())
            let ends = Collector<Bool>()
            request.onResponse(on: .global()) { ends.add((try? $0.get()) != nil) }
            let cancels = round % 2 == 0
            await offPool {
                DispatchQueue.concurrentPerform(iterations: 64) { index in
                    switch (index + round) % 4 {
                    case 0: request.resume()
                    case 1: request.suspend()
                    case 2 where cancels && index > 32: request.cancel()
                    default: request.resume()
                    }
                }
            }
            request.resume()
            #expect(await eventually { ends.count == 1 })
            #expect(request.isFinished)
        }
        #expect(session.activeRequests.isEmpty)
    }
}
