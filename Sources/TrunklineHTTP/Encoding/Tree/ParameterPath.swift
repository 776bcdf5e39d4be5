/// The place of a value in a parameter tree, for error messages: `user.tags[1]`.
struct ParameterPath {
    private enum Step {
        case key(String)
        case index(Int)
    }

    private var steps: [Step] = []

    /// The number of keys and indices.
    var count: Int { steps.count }

    /// Goes down to a key.
    mutating func push(_ key: String) { steps.append(.key(key)) }

    /// Goes down to an element.
    mutating func push(_ index: Int) { steps.append(.index(index)) }

    /// Goes up again.
    mutating func pop() { _ = steps.popLast() }

    /// The path as text.
    var text: String {
        steps.reduce(into: "") { text, step in
            switch step {
            case .key(let key): text += text.isEmpty ? key : ".\(key)"
            case .index(let index): text += "[\(index)]"
            }
        }
    }

    /// The path of a `Codable` error.
    static func text(_ path: [any CodingKey]) -> String {
        var result = ParameterPath()
        for key in path {
            if let index = key.intValue { result.push(index) } else { result.push(key.stringValue) }
        }
        return result.text
    }

    /// The error that names this place. Writers throw it as it is and it becomes an ``HTTPError`` at their door: an
    /// `HTTPError` can hold a response, and every level of a recursion would reserve stack for one.
    func failure(_ reason: String) -> RequestFailure {
        .parameter(path: text, reason: reason)
    }
}
