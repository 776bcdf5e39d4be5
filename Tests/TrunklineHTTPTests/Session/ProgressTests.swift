import Foundation
import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite("Progress of a handle")
struct ProgressTests {
    private static let held = SessionConfiguration(startsRequestsImmediately: false)

    @Test(
        "A stream of numbers rises, ends with the whole, and ends with the request", arguments: TransportKind.allCases)
    func streams(kind: TransportKind) async throws {
        let server = try LoopbackServer { server in
            server.route(.post, "/", respond: .generated(count: 3_000_000))
        }
        let session = kind.session(Self.held)
        let request = session.request(
            try server.request(.post, "/", body: .data(Data(count: 2_000_000), contentType: "text/plain")))
        async let received = request.downloadProgress.reduce(into: [TransferProgress]()) { $0.append($1) }
        async let sent = request.uploadProgress.reduce(into: [TransferProgress]()) { $0.append($1) }
        request.resume()
        #expect(try await request.data().count == 3_000_000)
        for (numbers, total) in [(await received, Int64(3_000_000)), (await sent, 2_000_000)] {
            #expect(numbers.last == TransferProgress(completed: total, total: total))
            #expect(numbers.map(\.completed) == numbers.map(\.completed).sorted())
            #expect(numbers.allSatisfy { ($0.fraction ?? 0) <= 1 })
        }
        // One that comes late gets the last number, and the end.
        let late = await request.downloadProgress.reduce(into: [TransferProgress]()) { $0.append($1) }
        #expect(late == [TransferProgress(completed: 3_000_000, total: 3_000_000)])
    }

    @Test("No number comes after the completion on the same queue, and each comes once")
    func order() async throws {
        let server = try LoopbackServer { $0.fallback(respond: .generated(count: 300_000)) }
        let session = SessionManager(configuration: Self.held)
        let queue = DispatchQueue(label: "test.progress")
        for _ in 0..<200 {
            let events = Collector<Int64>()
            session.request(try server.request())
                .onDownloadProgress(on: queue) { events.add($0.completed) }
                .onResponse(on: queue) { _ in events.add(-1) }
                .resume()
            #expect(await eventually { events.all.last == -1 })
            queue.sync {}
            let all = events.all
            #expect(all.last == -1 && all.count(where: { $0 == -1 }) == 1)
            #expect(all.dropLast() == all.dropLast().sorted()[...] && Set(all).count == all.count)
        }
    }

    @Test("A listener that leaves is let go, and what the others hear goes on")
    func leaving() async throws {
        let hub = ProgressHub()
        let task = Task { for await _ in hub.stream(.sent) { break } }
        let all = Task { await hub.stream(.sent).reduce(into: [Int64]()) { $0.append($1.completed) } }
        #expect(
            await eventually {
                hub.report(TransferProgress(completed: 1, total: nil), .sent)
                hub.report(TransferProgress(completed: 2, total: nil), .sent)
                return hub.listenerCount == 1 || task.isCancelled
            })
        await task.value
        hub.report(TransferProgress(completed: 3, total: nil), .sent)
        hub.finish()
        hub.report(TransferProgress(completed: 4, total: nil), .sent)
        #expect(await all.value.last == 3)
        #expect(hub.listenerCount == 0)
    }
}
