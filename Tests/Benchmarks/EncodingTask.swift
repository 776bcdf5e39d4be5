/// One way to encode one content.
struct EncodingTask {
    let content: String
    let encoder: String
    var isBaseline = false
    /// Operations a round.
    let count: Int
    /// Encodes once and gives the number of bytes written.
    let encode: () throws -> Int

    /// Microseconds of one operation, over one round.
    func round() throws -> Double {
        let start = ContinuousClock.now
        for _ in 0..<count {
            guard try encode() > 0 else {
                throw BenchmarkFailure(description: "\(encoder), \(content): nothing written")
            }
        }
        return (ContinuousClock.now - start).seconds / Double(count) * 1e6
    }
}
