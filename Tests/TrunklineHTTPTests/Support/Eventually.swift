import Foundation

@testable import TrunklineHTTP

/// Polls until the condition holds; false when it has not by the deadline.
func eventually(
    within limit: Duration = .seconds(5), _ condition: @Sendable () async -> Bool
) async -> Bool {
    let deadline = ContinuousClock.now + limit
    while ContinuousClock.now < deadline {
        if await condition() { return true }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return await condition()
}

/// Counts and collects from any thread.
final class Collector<Element: Sendable>: Sendable {
    private let elements = Protected<[Element]>([])

    func add(_ element: Element) { elements.withLock { $0.append(element) } }
    var all: [Element] { elements.withLock { $0 } }
    var count: Int { all.count }
}
