import Foundation
import Trunkline
import TrunklineTesting

/// A directory that is gone with the value's owner.
final class OutboxDirectory: Sendable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("outbox-\(UUID().uuidString)")

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The names of the files, but for the lock.
    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).filter { $0 != ".lock" }.sorted()
    }

    var entryFiles: [URL] { names.filter { $0.hasSuffix(".entry") }.map { url.appendingPathComponent($0) } }
}

/// A server that answers with what the test says, and notes what came.
final class StubServer: Sendable {
    let answers: Protected<@Sendable (HTTPRequest, Int) async throws -> (Int, HTTPHeaders)>
    let stub: StubTransport
    let session: SessionManager

    init(_ answer: @escaping @Sendable (HTTPRequest, Int) async throws -> (Int, HTTPHeaders) = { _, _ in (200, [:]) }) {
        let answers = Protected(answer)
        let count = Protected(0)
        let stub = StubTransport { exchange in
            let number = count.withLock { count in
                count += 1
                return count
            }
            let (status, headers) = try await answers.current(exchange.request, number)
            return HTTPResponse(request: exchange.request, statusCode: status, headers: headers)
        }
        self.answers = answers
        self.stub = stub
        session = SessionManager(transport: stub)
    }

    var paths: [String] { stub.requests.map(\.url.path) }
    var keys: [String?] { stub.requests.map { $0.headers["Idempotency-Key"] } }
}

/// A network that comes and goes.
final class TestReachability: OutboxReachability {
    private let state: Protected<Bool>
    private let streams = Protected<[AsyncStream<Bool>.Continuation]>([])

    init(_ isReachable: Bool) { state = Protected(isReachable) }

    var isReachable: Bool { state.current }

    var changes: AsyncStream<Bool> {
        let (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
        streams.withLock { $0.append(continuation) }
        return stream
    }

    func set(_ isReachable: Bool) {
        state.withLock { $0 = isReachable }
        for stream in streams.current { stream.yield(isReachable) }
    }
}

/// Something that knows the path, and is the outbox's reachability by that alone.
struct PathReachability: ReachabilityProviding, OutboxReachability {
    let network: StubReachability
    var path: NetworkPath { network.path }
    var paths: AsyncStream<NetworkPath> { network.paths }
}

/// Turns every byte over, with a mark in front: enough to see what is sealed and what is not.
struct FlippingSealer: DataSealer {
    var mark: UInt8 = 7
    func seal(_ bytes: Data) throws -> Data { Data([mark]) + bytes.map { ~$0 } }
    func open(_ sealed: Data) throws -> Data {
        guard sealed.first == mark else { throw Broken(name: "key") }
        return Data(sealed.dropFirst().map { ~$0 })
    }
}

/// Polls an outbox.
func eventually(_ outbox: Outbox, _ condition: @Sendable ([OutboxEntry]) -> Bool) async -> Bool {
    let deadline = ContinuousClock.now + .seconds(30)
    while await !condition(outbox.entries) {
        if ContinuousClock.now > deadline { return false }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return true
}
