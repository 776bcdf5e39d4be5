import Testing
import TrunklineTesting

@testable import TrunklineHTTP

@Suite struct KeyedHeapTests {
    @Test func `random operations agree with a sorted list`() {
        var random = SeededRandom(seed: 7)
        for _ in 0..<50 {
            var heap = KeyedHeap<Int, Int>()
            var model: [Int: Int] = [:]
            for _ in 0..<300 {
                let key = Int.random(in: 0..<40, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0, 1:
                    // Ranks are unique, so that the order is.
                    let rank = Int.random(in: 0..<1000, using: &random) * 100 + key
                    heap.set(key, rank: rank)
                    model[key] = rank
                case 2:
                    #expect(heap.remove(key) == (model.removeValue(forKey: key) != nil))
                default:
                    let least = model.min { $0.value < $1.value }
                    #expect(heap.popFirst() == least?.key)
                    if let least { model[least.key] = nil }
                }
                #expect(heap.count == model.count && heap.isEmpty == model.isEmpty)
                #expect(heap.first?.rank == model.values.min())
            }
            var rest: [Int] = []
            while let key = heap.popFirst() { rest.append(key) }
            #expect(rest == model.sorted { $0.value < $1.value }.map(\.key))
        }
    }
}
