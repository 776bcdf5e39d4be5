import Trunkline

struct Broken: Error, Equatable {
    var name = ""
}

/// Waits until its task is cancelled, and counts that.
final class Hanger: Sendable {
    let cancels = Collector<Void>()
    let starts = Collector<Void>()

    func hang() async throws {
        starts.add(())
        try await withTaskCancellationHandler {
            try await Task.sleep(for: .seconds(3600))
        } onCancel: {
            cancels.add(())
        }
    }
}

/// How many are inside at the same time.
final class Occupancy: Sendable {
    private let counts = Protected((now: 0, most: 0))
    var most: Int { counts.withLock { $0.most } }
    var now: Int { counts.withLock { $0.now } }

    func visit(_ work: () async throws -> Void) async rethrows {
        counts.withLock {
            $0.now += 1
            $0.most = max($0.most, $0.now)
        }
        defer { counts.withLock { $0.now -= 1 } }
        try await work()
    }
}
