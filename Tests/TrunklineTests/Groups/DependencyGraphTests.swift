import Testing
import Trunkline

@Suite struct DependencyGraphTests {
    private let config = NodeKey<Int>("config")
    private let user = NodeKey<String>("user")
    private let feed = NodeKey<[String]>("feed")
    private let badges = NodeKey<Int>("badges")

    @Test func `A start-up graph hands each node the values it needs`() async throws {
        var graph = DependencyGraph()
        graph.add(badges, after: user) { $0.count }
        graph.add(feed, after: user, config) { user, config in Array(repeating: user, count: config) }
        graph.add(user, after: config) { "user\($0)" }
        graph.add(config) { 2 }
        let heard = Collector<GroupProgress>()
        let outcome = try await graph.build().run { heard.add($0) }
        #expect(outcome.isSuccess && outcome.failures.isEmpty)
        #expect(try outcome.value(of: feed) == ["user2", "user2"])
        #expect(try outcome.value(of: badges) == 5)
        #expect(heard.all.map(\.completed) == [1, 2, 3, 4])
    }

    @Test func `Nodes that need the same run side by side`() async throws {
        let both = Collector<Void>()
        var graph = DependencyGraph()
        graph.add(config) { 1 }
        for name in ["a", "b"] {
            graph.add(NodeKey<Bool>(name), after: config) { _ in
                both.add(())
                return await eventually { both.count == 2 }
            }
        }
        let outcome = try await graph.build().run()
        for name in ["a", "b"] { #expect(try outcome.value(of: NodeKey<Bool>(name))) }
    }

    @Test func `A circle is refused and named`() {
        var graph = DependencyGraph()
        graph.add(config, after: badges) { $0 }
        graph.add(user, after: config) { "\($0)" }
        graph.add(badges, after: user) { $0.count }
        let error = #expect(throws: GroupError.self) { try graph.build() }
        guard case .cycle(let names) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(names == ["config", "badges", "user", "config"])
        #expect(error?.description.contains("\"config\" needs \"badges\" needs \"user\"") == true)
    }

    @Test func `A missing dependency is refused, also one of another type`() {
        var graph = DependencyGraph()
        graph.add(NodeKey<String>("config")) { "not a number" }
        graph.add(user, after: config) { "\($0)" }
        let error = #expect(throws: GroupError.self) { try graph.build() }
        guard case .missingDependency("user", "config") = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `A node can't be there twice`() {
        var graph = DependencyGraph()
        graph.add(config) { 1 }
        graph.add(config) { 2 }
        let error = #expect(throws: GroupError.self) { try graph.build() }
        guard case .duplicateNode("config") = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `Those that need a failed node are skipped with its error, the others go on`() async throws {
        var graph = DependencyGraph()
        graph.add(config) { 1 }
        graph.add(user, after: config) { _ in throw Broken(name: "user") }
        graph.add(feed, after: user) { [$0] }
        graph.add(NodeKey<Int>("deep"), after: feed) { $0.count }
        graph.add(badges, after: config) { $0 }
        let outcome = try await graph.build().run()
        #expect(try outcome.value(of: badges) == 1)
        #expect(throws: Broken(name: "user")) { try outcome.value(of: user) }
        let error = #expect(throws: GroupError.self) { try outcome.value(of: NodeKey<Int>("deep")) }
        guard case .dependencyFailed("deep", "user", let cause) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause as? Broken == Broken(name: "user") && !outcome.isSuccess && outcome.failures.count == 3)
    }

    @Test func `With the other policy the whole is cancelled`() async throws {
        let hanger = Hanger()
        var graph = DependencyGraph(failurePolicy: .cancelAll)
        graph.add(NodeKey<Void>("slow")) { try await hanger.hang() }
        graph.add(config) {
            _ = await eventually { hanger.starts.count == 1 }
            throw Broken()
        }
        graph.add(user, after: NodeKey<Void>("slow")) { _ in "never" }
        let outcome = try await graph.build().run()
        #expect(hanger.cancels.count == 1 && !outcome.isCancelled && outcome.failures.count == 3)
        guard case .failure(GroupError.cancelled) = outcome.result(of: user) else {
            Issue.record("\(outcome.result(of: user))")
            return
        }
    }

    @Test func `A key of no node gives an error`() async throws {
        let outcome = try await DependencyGraph().build().run()
        #expect(outcome.isSuccess)
        #expect(throws: GroupError.self) { try outcome.value(of: config) }
    }
}
