import TrunklineHTTP

/// Measures the library's encoders against Foundation's, in this process.
struct EncodingBenchmark {
    /// What `--only` selects it by.
    static let name = "encoding"

    private let tasks: [EncodingTask]
    private let rounds: Int

    /// - Parameter quick: whether a round does a part only.
    init(quick: Bool) {
        rounds = 9
        tasks = Self.formTasks(count: quick ? 100 : 1000) + Self.treeTasks(count: quick ? 1 : 3)
    }

    /// The encoders take turns, so that what else the machine does meets all of them; the first round only warms up.
    func run() throws -> [EncodingMeasurement] {
        var figures = tasks.map { _ in [Double]() }
        for round in 0...rounds {
            for (index, task) in tasks.enumerated() {
                let figure = try task.round()
                if round > 0 { figures[index].append(figure) }
            }
        }
        return try zip(tasks, figures).map { task, figures in
            EncodingMeasurement(
                content: task.content, encoder: task.encoder, isBaseline: task.isBaseline,
                microseconds: figures.sorted()[figures.count / 2], bytes: try task.encode())
        }
    }

    private static func formTasks(count: Int) -> [EncodingTask] {
        let form = EncodingContent.form
        let parameters = Parameters(form)
        let items = EncodingContent.queryItems(of: form)
        let encoder = URLParameterEncoder()
        let ready = "form of 50 fields"
        let converted = "the same from [String: Any]"
        return [
            EncodingTask(content: ready, encoder: "trunkline", count: count) {
                try encoder.string(from: parameters).utf8.count
            },
            EncodingTask(content: ready, encoder: "URLComponents", isBaseline: true, count: count) { query(items) },
            EncodingTask(content: converted, encoder: "trunkline", count: count) {
                try encoder.string(from: Parameters(form)).utf8.count
            },
            EncodingTask(content: converted, encoder: "URLComponents", isBaseline: true, count: count) {
                query(EncodingContent.queryItems(of: form))
            },
        ]
    }

    private static func query(_ items: [URLQueryItem]) -> Int {
        var components = URLComponents()
        components.queryItems = items
        return components.percentEncodedQuery?.utf8.count ?? 0
    }

    private static func treeTasks(count: Int) -> [EncodingTask] {
        let tree = EncodingContent.tree
        let value = ParameterValue(converting: tree)
        let encoder = JSONParameterEncoder()
        let content = "JSON tree of 1 MB"
        return [
            EncodingTask(content: content, encoder: "trunkline", count: count) { try encoder.encoded(value).count },
            EncodingTask(content: content, encoder: "trunkline from Any", count: count) {
                try encoder.encoded(ParameterValue(converting: tree)).count
            },
            EncodingTask(content: content, encoder: "JSONSerialization", isBaseline: true, count: count) {
                try JSONSerialization.data(withJSONObject: tree, options: .sortedKeys).count
            },
        ]
    }
}
