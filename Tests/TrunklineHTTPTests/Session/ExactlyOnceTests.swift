import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

/// Cases A29, A30 and A40 over real sockets, on both transports.
@Suite("Every request ends once, is itself, and ends with its session")
struct ExactlyOnceTests {
    private static let held = SessionConfiguration(startsRequestsImmediately: false)

    private func isCancelled(_ outcome: DataRequest.Outcome?) -> Bool {
        if case .failure(.cancelled) = outcome { true } else { false }
    }

    /// A server that answers `/slow` when the gate opens, and everything else at once.
    private func server(_ gate: LoopbackGate) throws -> LoopbackServer {
        try LoopbackServer { server in
            server.route(.get, "/slow/{name}") { request in
                var response = LoopbackResponse.text(request["name"] ?? "")
                response.gate = gate
                return response
            }
            server.fallback(respond: .text("ok"))
        }
    }

    // MARK: - A29

    @Test(
        "Cancels before, in and after flight, and inside the callback: one callback each",
        arguments: TransportKind.allCases)
    func cancels(kind: TransportKind) async throws {
        let gate = LoopbackGate()
        let server = try server(gate)
        let session = kind.session(Self.held)

        let never = Collector<DataRequest.Outcome>()
        let unsent = session.request(try server.request()).onResponse(on: .global()) { never.add($0) }
        unsent.cancel()
        unsent.resume()
        #expect(await eventually { never.count == 1 })
        #expect(isCancelled(never.all.first) && server.connectionCount == 0)

        let twice = Collector<DataRequest.Outcome>()
        let inFlight = session.request(try server.request(.get, "/slow/a")).onResponse(on: .global()) { twice.add($0) }
        inFlight.resume()
        inFlight.resume()
        #expect(await server.waitForRequests(1))
        inFlight.cancel()
        inFlight.cancel()
        #expect(await eventually { twice.count == 1 })
        #expect(isCancelled(twice.all.first) && server.requestCount == 1)

        let inside = Collector<DataRequest.Outcome>()
        let done = session.request(try server.request())
        done.onResponse(on: .global()) { outcome in
            inside.add(outcome)
            done.cancel()
        }
        done.resume()
        #expect(await eventually { inside.count == 1 })
        done.cancel()
        #expect(try await done.string() == "ok")
        let late = Collector<DataRequest.Outcome>()
        done.onResponse(on: .global()) { late.add($0) }
        #expect(await eventually { late.count == 1 })
        #expect((try? late.all.first?.get())?.data == Data("ok".utf8))
        for heard in [never, twice, inside, late] { #expect(heard.count == 1) }
    }

    @Test("Cancelling the waiting task ends the await once", arguments: TransportKind.allCases)
    func task(kind: TransportKind) async throws {
        let server = try server(LoopbackGate())
        let session = kind.session()
        let request = try server.request(.get, "/slow/a")
        let task = Task { try await session.send(request) }
        #expect(await server.waitForRequests(1))
        task.cancel()
        let error = await #expect(throws: HTTPError.self) { try await task.value }
        #expect(isCancelled(error.map { .failure($0) }))
        #expect(await server.waitForConnectionsClosed())
    }

    // MARK: - A30

    @Test(
        "A cancel by identity reaches its own request only, also in another session", arguments: TransportKind.allCases)
    func identity(kind: TransportKind) async throws {
        let gate = LoopbackGate()
        let server = try server(gate)
        let (first, second) = (kind.session(), kind.session())
        let one = first.request(try server.request(.get, "/slow/one"))
        let two = second.request(try server.request(.get, "/slow/two"))
        #expect(one.id != two.id)
        #expect(await server.waitForRequests(2))
        second.cancel(one.id)
        first.cancel(two.id)
        first.cancel(one.id)
        gate.open()
        let error = await #expect(throws: HTTPError.self) { try await one.response() }
        #expect(isCancelled(error.map { .failure($0) }))
        #expect(try await two.string() == "two")
        #expect(first.activeRequests.isEmpty && second.activeRequests.isEmpty)
    }

    // MARK: - A40

    @Test(
        "A released session ends what is in flight, and an invalidated one refuses", arguments: TransportKind.allCases)
    func end(kind: TransportKind) async throws {
        let server = try server(LoopbackGate())
        let ends = Collector<DataRequest.Outcome>()
        func start() throws {
            let session = kind.session()
            for number in 0..<5 {
                session.request(try server.request(.get, "/slow/\(number)")).onResponse(on: .global()) { ends.add($0) }
            }
        }
        try start()
        #expect(await eventually { ends.count == 5 })
        let session = kind.session()
        session.invalidate()
        session.request(try server.request()).onResponse(on: .global()) { ends.add($0) }
        #expect(await eventually { ends.count == 6 })
        for outcome in ends.all {
            guard case .failure(.sessionInvalidated) = outcome else {
                Issue.record("\(outcome)")
                continue
            }
        }
    }
}
