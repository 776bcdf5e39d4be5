/// Notes when each part of a page was being loaded.
actor Timeline {
    /// The width of a bar.
    static let width = 40

    private var spans: [String: Range<ContinuousClock.Instant>] = [:]

    /// Does the work, and notes when it began and ended.
    func measure<Value: Sendable>(
        _ part: String, _ work: @Sendable () async throws -> Value
    ) async throws -> Value {
        let begin = ContinuousClock.now
        defer { spans[part] = begin..<ContinuousClock.now }
        return try await work()
    }

    /// The part's place in the whole time, as a bar; empty for one that was not loaded.
    func bar(of part: String) -> String {
        guard let span = spans[part], let first = spans.values.map(\.lowerBound).min(),
            let last = spans.values.map(\.upperBound).max(), first < last
        else { return "" }
        func column(_ instant: ContinuousClock.Instant) -> Int {
            Int((instant - first) / (last - first) * Double(Self.width))
        }
        let (begin, end) = (column(span.lowerBound), column(span.upperBound))
        return String(repeating: " ", count: begin) + String(repeating: "#", count: max(1, end - begin))
    }

    /// How many parts were being loaded at the same time, at the busiest moment: when one of them began.
    var mostAtOnce: Int {
        spans.values.map { span in spans.values.count { $0.contains(span.lowerBound) } }.max() ?? 0
    }
}
