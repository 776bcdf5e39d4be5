import Foundation
import Testing
import Trunkline
import TrunklineTesting

/// A signature for each request that goes out, over what goes out.
@MainActor
@Suite("Signing")
struct RequestSigningTests {
    private func rig(
        _ signs: RequestSigning, retry: RetryPolicy = RetryPolicy(limit: 2, baseDelay: .milliseconds(1)),
        _ answer: @escaping StubTransport.Answer
    ) -> (TestAPI, Screen, StubTransport, TransferService) {
        let (api, screen, service, stub) = (TestAPI(), Screen(), TransferService(), StubTransport(answer))
        service.base = "http://h/api"
        service.signs = signs
        service.own = SessionManager(configuration: SessionConfiguration(retry: retry), transport: stub)
        let factory = ServiceFactory()
        factory.register(.test) { service }
        api.serviceFactory = factory
        screen.attach(api)
        return (api, screen, stub, service)
    }

    /// A signature with a number that is used once.
    private func numbered(_ count: Protected<Int>, requiresBodyInMemory: Bool = true) -> RequestSigning {
        RequestSigning(requiresBodyInMemory: requiresBodyInMemory) { request, _ in
            let nonce = count.withLock { count in
                count += 1
                return count
            }
            #expect(request.headers["X-Signature"] == nil)
            request.headers["X-Signature"] = "\(nonce) \(request.url.path)"
        }
    }

    @Test("Every retry is signed anew, beginning with the unsigned request")
    func retries() async {
        let (api, screen, stub, _) = rig(numbered(Protected(0))) { exchange in
            .stub(for: exchange, status: exchange.attempt < 3 ? 503 : 200, json: "{}")
        }
        api.loadData()
        #expect(await eventually { screen.ends.count == 1 })
        #expect(api.errorType == .success)
        #expect(stub.requests.map { $0.headers["X-Signature"] } == [1, 2, 3].map { "\($0) /api/v1/items" })
    }

    @Test("Every hop within the origin is signed for its URL; none at another")
    func redirects() async {
        let (api, screen, stub, _) = rig(numbered(Protected(0))) { exchange in
            let next = [
                "/api/v1/items": "/b", "/b": "http://other/c", "/c": "http://h/d",
            ][exchange.request.url.path]
            return .stub(
                for: exchange, status: next == nil ? 200 : 302, headers: next.map { ["Location": $0] } ?? [:],
                json: "{}")
        }
        api.loadData()
        #expect(await eventually { screen.ends.count == 1 })
        #expect(api.errorType == .success)
        #expect(
            stub.requests.map { $0.headers["X-Signature"] } == ["1 /api/v1/items", "2 /b", nil, nil],
            "\(stub.requests.map(\.url))")
    }

    @Test("The signature is over the credential too, and over the one it was replaced by")
    func credentials() async {
        let seen = Collector<String>()
        let signing = RequestSigning { request, _ in
            seen.add(request.headers["Authorization"] ?? "none")
            request.headers["X-Signature"] = HMACSHA256.hexadecimal(
                of: Data((request.headers["Authorization"] ?? "").utf8), key: Data("k".utf8))
        }
        final class Guarded: TestAPI {
            override func authentication(for service: Service) -> RequestAuthentication {
                .use(BearerAuthentication(token: "t", origins: ["http://h"]))
            }
        }
        let (_, screen, stub, service) = rig(signing) { .stub(for: $0, json: "{}") }
        let api = Guarded()
        let factory = ServiceFactory()
        factory.register(.test) { service }
        api.serviceFactory = factory
        screen.attach(api)
        api.loadData()
        #expect(await eventually { screen.ends.count == 1 })
        #expect(seen.all == ["Bearer t"] && stub.requests.first?.headers["X-Signature"]?.count == 64)
    }

    @Test("A signature that leaves the body out signs a file as well")
    func files() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("signed-\(UUID().uuidString)")
        try Data("file".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        for requires in [true, false] {
            let api = SendAPI()
            api.content = .file(file)
            let rig = try TransferRig(api) { $0.route(.post, "/up", respond: .json("{}")) }
            rig.service.signs = numbered(Protected(0), requiresBodyInMemory: requires)
            #expect(await rig.loadOnce())
            #expect(api.errorType == (requires ? .requestError : .success), "\(String(describing: api.error))")
            #expect(rig.server.requests.map(\.text) == (requires ? [] : ["file"]))
            #expect(rig.server.requests.allSatisfy { $0.headers["X-Signature"] == "1 /up" })
        }
    }

    @Test("A form that is in memory is signed with its bytes")
    func forms() async throws {
        let api = SendAPI()
        var form = MultipartFormData()
        form.append("v", name: "n")
        api.content = .multipart(form)
        let rig = try TransferRig(api) { $0.route(.post, "/up", respond: .json("{}")) }
        rig.service.signs = RequestSigning { request, _ in
            request.headers["X-Hash"] = HMACSHA256.contentHash(of: request.body?.data ?? Data())
        }
        #expect(await rig.loadOnce())
        let request = try #require(rig.server.requests.first)
        #expect(request.headers["X-Hash"] == HMACSHA256.contentHash(of: request.body))
    }
}
