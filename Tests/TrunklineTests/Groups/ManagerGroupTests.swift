import Foundation
import Testing
import Trunkline
import TrunklineTesting

@MainActor @Suite struct ManagerGroupTests {
    private func rig(_ method: String, _ answer: @escaping StubTransport.Answer) -> Rig<TestAPI> {
        let api = TestAPI()
        api.method = method
        return Rig(api, answer)
    }

    private nonisolated func json(_ exchange: Exchange, _ text: String) -> HTTPResponse {
        HTTPResponse(
            request: exchange.request, statusCode: 200, headers: ["Content-Type": "application/json"],
            body: .data(Data(text.utf8)))
    }

    @Test func `A dashboard waits for three managers at once, and their delegates hear as ever`() async throws {
        let rigs = ["user", "feed", "badges"].map { name in rig(name) { self.json($0, "{\"is\":\"\(name)\"}") } }
        let (user, feed, badges) = try await APIBatch.all(rigs[0].manager, rigs[1].manager, rigs[2].manager)
        #expect([user, feed, badges].map { $0.json?["is"]?.string } == ["user", "feed", "badges"])
        for rig in rigs { #expect(rig.screen.ends.count == 1 && rig.screen.log.contains("success")) }
    }

    @Test func `A manager that fails cancels the loads of the others`() async {
        let slow = rig("slow") { exchange in
            try await Task.sleep(for: .seconds(3600))
            return self.json(exchange, "{}")
        }
        let broken = rig("broken") { exchange in
            _ = await eventually { slow.stub.requests.count == 1 }
            return HTTPResponse(request: exchange.request, statusCode: 500)
        }
        let error = await #expect(throws: APIError.self) {
            try await APIBatch.all(slow.manager, broken.manager)
        }
        #expect(error?.type == .serverError(status: 500, body: Data()))
        #expect(slow.screen.ends.map(\.type) == [.cancelled])
    }

    @Test func `A released run cancels its managers, and its completion hears it once`() async {
        let slow = rig("slow") { exchange in
            try await Task.sleep(for: .seconds(3600))
            return self.json(exchange, "{}")
        }
        let heard = Collector<Bool>()
        var run: GroupRun<Result<(APIResponse, Int), any Error>>? = APIBatch.start(
            slow.manager, GroupTask { 1 }
        ) { result in
            MainActor.assertIsolated()
            if case .failure(GroupError.cancelled) = result { heard.add(true) } else { heard.add(false) }
        }
        #expect(await eventually { slow.stub.requests.count == 1 })
        #expect(run?.progress.total == 2)
        run = nil
        #expect(await eventually { heard.count == 1 })
        #expect(heard.all == [true] && slow.screen.ends.map(\.type) == [.cancelled])
    }

    @Test func `A checkout goes from order to payment to confirmation`() async throws {
        let pay = rig("pay") { self.json($0, "{\"paid\":true}") }
        let progress = Collector<Double>()
        let receipt = try await APIChain("order") { 42 }
            .thenLoad("pay") { order in
                pay.manager.fixed = ["order": order]
                return pay.manager
            }
            .then("confirm") { payment in "paid: \(payment.json?["paid"]?.bool ?? false)" }
            .run { progress.add($0.fraction) }
        #expect(receipt == "paid: true" && progress.all == [1.0 / 3, 2.0 / 3, 1])
    }

    @Test func `Requests of a session take part too`() async throws {
        let session = SessionManager(
            transport: StubTransport { self.json($0, $0.request.url.path == "/n" ? "7" : "\"x\"") })
        let (number, raw) = try await APIBatch.all(
            GroupTask(Endpoint(.get, "http://h/n"), of: Int.self, on: session),
            GroupTask("http://h/x", on: session))
        #expect(number == 7 && raw.statusCode == 200)
    }
}
