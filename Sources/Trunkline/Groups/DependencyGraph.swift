/// Work that needs the results of other work: each node runs as soon as those it needs have succeeded.
///
/// ```swift
/// let config = NodeKey<Config>("config"), user = NodeKey<User>("user")
/// let feed = NodeKey<Feed>("feed"), badges = NodeKey<Badges>("badges")
/// var graph = DependencyGraph()
/// graph.add(config) { try await api.config() }
/// graph.add(user, after: config) { config in try await api.user(at: config.userURL) }
/// graph.add(feed, after: user, config) { user, config in try await api.feed(of: user, config.feedSize) }
/// graph.add(badges, after: user) { user in try await api.badges(of: user) }
/// let outcome = try await graph.build().run()
/// show(try outcome.value(of: feed))
/// ```
///
/// Nodes may be added in any order; ``build()`` checks the whole.
public struct DependencyGraph: Sendable {
    /// What the failure of a node means for the others; by default those that need it are skipped.
    public var failurePolicy: GraphFailurePolicy
    /// How many nodes run at the same time; nil, the default, for as many as can. Less than 1 counts as 1.
    public var maximumConcurrency: Int?
    private var nodes: [GraphNode] = []

    /// Makes a graph without nodes.
    public init(failurePolicy: GraphFailurePolicy = .skipDependants, maximumConcurrency: Int? = nil) {
        self.failurePolicy = failurePolicy
        self.maximumConcurrency = maximumConcurrency
    }

    /// Adds a node.
    ///
    /// - Parameters:
    ///   - key: names the node and its value.
    ///   - dependency: the nodes it needs; by default none.
    ///   - work: gets their values, in their order.
    public mutating func add<Value: Sendable, each Dependency: Sendable>(
        _ key: NodeKey<Value>, after dependency: repeat NodeKey<each Dependency>,
        work: @escaping @Sendable (repeat each Dependency) async throws -> Value
    ) {
        var dependencies: [NodeID] = []
        for key in repeat each dependency {
            if !dependencies.contains(key.id) { dependencies.append(key.id) }
        }
        let keys = (repeat each dependency)
        nodes.append(
            GraphNode(id: key.id, dependencies: dependencies) { values in
                try await work(repeat try values.value(of: each keys))
            })
    }

    /// Adds a node without dependencies that runs a member: an API manager, say.
    public mutating func add<Value: Sendable>(_ key: NodeKey<Value>, _ member: some GroupMember<Value>) {
        nodes.append(GraphNode(id: key.id, dependencies: []) { _ in try await member.runInGroup() })
    }

    /// Checks the graph and makes it ready to run.
    ///
    /// - Throws: ``GroupError/cycle(_:)``, ``GroupError/missingDependency(node:dependency:)`` or
    ///   ``GroupError/duplicateNode(_:)``.
    public func build() throws(GroupError) -> DependencyPlan {
        var indices: [NodeID: Int] = [:]
        for (index, node) in nodes.enumerated() where indices.updateValue(index, forKey: node.id) != nil {
            throw .duplicateNode(node.id.name)
        }
        var dependencies: [[Int]] = []
        for node in nodes {
            var needed: [Int] = []
            for dependency in node.dependencies {
                guard let index = indices[dependency] else {
                    throw .missingDependency(node: node.id.name, dependency: dependency.name)
                }
                needed.append(index)
            }
            dependencies.append(needed)
        }
        if let cycle = GraphOrder.cycle(in: dependencies) { throw .cycle(cycle.map { nodes[$0].id.name }) }
        return DependencyPlan(
            nodes: nodes, dependencies: dependencies, policy: failurePolicy, limit: maximumConcurrency)
    }
}
