/// Whether dependencies can be fulfilled at all.
enum GraphOrder {
    /// A circle among the dependencies, its first member again at the end; nil when there is none.
    ///
    /// Walks with a stack of its own: a graph may be deeper than the thread's.
    static func cycle(in dependencies: [[Int]]) -> [Int]? {
        var isDone = Array(repeating: false, count: dependencies.count)
        var isOpen = isDone
        for root in dependencies.indices where !isDone[root] {
            // The path from the root, each member with the number of its dependencies that were looked at.
            var path = [(member: root, next: 0)]
            isOpen[root] = true
            while let (member, next) = path.last {
                guard next < dependencies[member].count else {
                    isOpen[member] = false
                    isDone[member] = true
                    path.removeLast()
                    continue
                }
                path[path.count - 1].next += 1
                let dependency = dependencies[member][next]
                if isOpen[dependency] {
                    return path.map(\.member).drop { $0 != dependency } + [dependency]
                }
                if !isDone[dependency] {
                    isOpen[dependency] = true
                    path.append((dependency, 0))
                }
            }
        }
        return nil
    }
}
