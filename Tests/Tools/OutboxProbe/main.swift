import Foundation
import Trunkline

// Enqueues and sends mutations until all are done, for a test that kills it at any moment and starts it again. The
// arguments: the outbox's directory, the server's URL, the number of lanes, the mutations of each, the most that wait at a
// time: with few of them it enqueues as long as it sends.

let arguments = CommandLine.arguments
guard arguments.count == 6, let lanes = Int(arguments[3]), let count = Int(arguments[4]), let most = Int(arguments[5])
else {
    FileHandle.standardError.write(Data("OutboxProbe DIRECTORY URL LANES COUNT MOST-WAITING\n".utf8))
    exit(64)
}
let outbox = try Outbox(
    directory: URL(fileURLWithPath: arguments[1]),
    configuration: OutboxConfiguration(baseDelay: .milliseconds(1), maximumDelay: .milliseconds(4)))
await outbox.start()
let logs = try (0..<lanes).map { try AcknowledgementLog(path: arguments[1] + ".lane\($0)") }
for number in 0..<count {
    for lane in 0..<lanes where number >= logs[lane].countAtStart {
        while await outbox.entries.count >= most { try await Task.sleep(for: .milliseconds(1)) }
        try await outbox.enqueue(
            .post(
                "\(arguments[2])/\(lane)/\(number)", headers: ["Idempotency-Key": "\(lane)-\(number)"],
                body: .text("mutation \(number) of \(lane)")),
            lane: "\(lane)")
        try logs[lane].acknowledge()
    }
}
while await !outbox.entries.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
await outbox.close()
