import TrunklineHTTP

/// Counts and collects from any thread.
package final class Collector<Element: Sendable>: Sendable {
    private let elements = Protected<[Element]>([])

    package init() {}

    package func add(_ element: Element) { elements.withLock { $0.append(element) } }
    package var all: [Element] { elements.withLock { $0 } }
    package var count: Int { all.count }
}
