import Testing

@testable import TrunklineHTTP

@Suite("LRUTable")
struct LRUTableTests {
    @Test("A random history gives what a plain list gives")
    func historyFuzz() async {
        await HeavyWork.run {
            var random = SeededRandom(seed: 3)
            var table = LRUTable<Int, Int>()
            var model: [(key: Int, value: Int, cost: Int)] = []  // oldest first
            for step in 0..<FuzzRounds.count(full: 20_000) {
                let key = Int.random(in: 0..<40, using: &random)
                let at = model.firstIndex { $0.key == key }
                switch Int.random(in: 0..<5, using: &random) {
                case 0, 1:
                    let cost = Int.random(in: 0..<100, using: &random)
                    if let at { model.remove(at: at) }
                    model.append((key, step, cost))
                    table.insert(step, for: key, cost: cost)
                case 2:
                    let expected = at.map { model.remove(at: $0) }
                    if let expected { model.append(expected) }
                    #expect(table.use(key) == expected?.value)
                case 3:
                    #expect(table.remove(key) == at.map { model.remove(at: $0).value })
                default:
                    #expect(table.peek(key) == at.map { model[$0].value })
                }
                #expect(table.oldestKey == model.first?.key)
                #expect(table.count == model.count)
                #expect(table.cost == model.reduce(0) { $0 + $1.cost })
            }
            for item in model {
                #expect(table.oldestKey == item.key)
                table.remove(item.key)
            }
            #expect(table.oldestKey == nil)
        }
    }
}
