/// The results of a run.
struct Report {
    /// A case and how it ended.
    struct Entry {
        let suite: Suite
        let test: Case
        var verdict: Verdict
    }

    private(set) var entries: [Entry]

    /// - Parameter verdicts: by case.
    init(_ suites: [Suite], _ verdicts: [String: Verdict]) {
        var settled = verdicts
        for test in suites.flatMap(\.cases) where settled[test.id] == .passed {
            if let failed = test.dependencies.first(where: { verdicts[$0] != .passed }) {
                settled[test.id] = .dependency(failed)
            }
        }
        entries = suites.flatMap { suite in
            suite.cases.map { Entry(suite: suite, test: $0, verdict: settled[$0.id] ?? .notSetUp("not run")) }
        }
    }

    /// Passed and all of a kind, in one suite or in all.
    func score(_ kind: Case.Kind, in suite: String? = nil) -> (passed: Int, total: Int) {
        let counted = entries.filter { $0.test.kind == kind && (suite == nil || $0.suite.id == suite) }
        return (counted.count { $0.verdict == .passed }, counted.count)
    }

    /// Whether every required case passed, and enough of the optimal ones.
    var isGood: Bool {
        let required = entries.filter { $0.test.kind == .required && $0.verdict != .passed }
        let optimal = score(.optimal)
        return required.allSatisfy { KnownFailures.reasons[$0.test.id] != nil }
            && optimal.passed * 100 >= optimal.total * 95
    }

    /// The table, and each case that did not pass.
    var text: String {
        var lines = ["| Suite | required | optimal | check |", "|---|---|---|---|"]
        var suites: [String] = []
        for entry in entries where !suites.contains(entry.suite.id) {
            suites.append(entry.suite.id)
            lines.append(row(entry.suite.name, entry.suite.id))
        }
        lines.append(row("**All**", nil))
        let failures = entries.filter { $0.verdict != .passed }
        if !failures.isEmpty { lines += ["", "Not passed:"] }
        for entry in failures {
            lines.append("- \(entry.test.id) (\(entry.test.kind.rawValue)): \(words(entry.verdict))")
            if let reason = KnownFailures.reasons[entry.test.id] { lines.append("  Known: \(reason)") }
        }
        return lines.joined(separator: "\n")
    }

    private func row(_ name: String, _ suite: String?) -> String {
        let cells = Case.Kind.allCases.map { kind in
            let score = score(kind, in: suite)
            return score.total == 0 ? "" : "\(score.passed) of \(score.total)"
        }
        return "| \(name) | " + cells.joined(separator: " | ") + " |"
    }

    private func words(_ verdict: Verdict) -> String {
        switch verdict {
        case .passed: "passed"
        case .failed(let reason): "failed, \(reason)"
        case .notSetUp(let reason): "could not be set up, \(reason)"
        case .dependency(let id): "depends on \(id)"
        }
    }
}
