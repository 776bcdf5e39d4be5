import Foundation
import Testing
import Trunkline
import TrunklineTesting

@Suite struct OutboxStressTests {
    @Test func `Many at once, with pauses, cancels and failures: each ends once, in the order of its lane`()
        async throws
    {
        let random = Protected(SeededRandom(seed: 21))
        let server = StubServer { _, _ in
            let luck = random.withLock { $0.below(10) }
            if luck == 0 { throw HTTPError.connectionLost(ConnectionLoss(stage: .beforeResponse, reason: "luck")) }
            return (luck == 1 ? 503 : 200, [:])
        }
        let directory = OutboxDirectory()
        let outbox = try Outbox(
            directory: directory.url, session: server.session,
            configuration: OutboxConfiguration(baseDelay: .microseconds(1), maximumDelay: .microseconds(10)))
        let events = outbox.events
        await outbox.start()
        let (lanes, count) = (6, 25)
        let cancelled = Collector<String>()
        await withTaskGroup(of: Void.self) { group in
            for lane in 0..<lanes {
                group.addTask {
                    for number in 0..<count {
                        let url = "http://h/\(lane)/\(number)"
                        guard let ticket = try? await outbox.enqueue(.post(url), lane: "\(lane)") else {
                            Issue.record("not taken: \(url)")
                            continue
                        }
                        if number % 5 == 4, (try? await outbox.cancel(ticket)) == true { cancelled.add(url) }
                    }
                }
            }
            group.addTask {
                for _ in 0..<30 {
                    await outbox.pause()
                    await Task.yield()
                    await outbox.resume()
                }
            }
        }
        #expect(await eventually(outbox) { $0.isEmpty })
        await outbox.close()
        var ends: [String: [String]] = [:]
        var sent: [String: [Int]] = [:]
        // The stream has kept everything, and ends with the outbox.
        for await event in events {
            switch event {
            case .sent(let entry, _):
                ends[entry.url, default: []].append("sent")
                sent[entry.ticket.lane, default: []].append(Int(entry.url.split(separator: "/").last ?? "") ?? -1)
            case .cancelled(let entry): ends[entry.url, default: []].append("cancelled")
            case .failed(let entry, _), .expired(let entry, _): ends[entry.url, default: []].append("lost")
            default: break
            }
        }
        #expect(ends.count == lanes * count && ends.values.allSatisfy { $0 == ["sent"] || $0 == ["cancelled"] })
        #expect(Set(ends.filter { $0.value == ["cancelled"] }.keys) == Set(cancelled.all))
        for numbers in sent.values { #expect(numbers == numbers.sorted()) }
        #expect(directory.names.isEmpty)
    }
}
