import Foundation
import TrunklineHTTP

// Runs the cases of the public HTTP cache test suite against a session with HTTP caching on, as a private cache. Its policy is
// `.staleIfError()`: that of `.standard`, and stale answers when the server fails, which some cases need and RFC 9111, section
// 4.2.4, allows. With `--standard` it is `.standard`.
// The arguments: the file of cases (by default the copy beside this file), and ids of cases to run alone.

var arguments = Array(CommandLine.arguments.dropFirst())
let policy: CachePolicy = arguments.contains("--standard") ? .standard : .staleIfError()
arguments.removeAll { $0.hasPrefix("--") }
let vendored = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Suite/tests.json")
let file = arguments.first { $0.hasSuffix(".json") }.map { URL(fileURLWithPath: $0) } ?? vendored
let wanted = Set(arguments.filter { !$0.hasSuffix(".json") })

let suites = try SuiteFile.read(file)
let cases = suites.flatMap(\.cases).filter { wanted.isEmpty || wanted.contains($0.id) }
let origin = try Origin()
let session = SessionManager(
    configuration: SessionConfiguration(
        headers: [:], timeouts: Timeouts(connect: .seconds(20), idle: .seconds(20), total: .seconds(60)),
        cachePolicy: policy, validation: .acceptAny),
    cache: ResponseCache(memory: MemoryCacheStore(capacity: 64_000_000)))

// All at once: the pauses of three seconds don't add up.
let verdicts = await withTaskGroup(of: (String, Verdict).self) { group in
    for test in cases {
        group.addTask { (test.id, await CaseRun(test, session: session, origin: origin).verdict()) }
    }
    var verdicts: [String: Verdict] = [:]
    for await (id, verdict) in group { verdicts[id] = verdict }
    return verdicts
}
origin.stop()
let ran = suites.map { suite in
    Suite(id: suite.id, name: suite.name, cases: suite.cases.filter { verdicts[$0.id] != nil })
}.filter { !$0.cases.isEmpty }
let report = Report(ran, verdicts)
print(report.text)
exit(report.isGood ? 0 : 1)
