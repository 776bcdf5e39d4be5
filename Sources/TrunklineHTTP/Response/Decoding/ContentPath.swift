/// The way to a value inside a document, written `data.items[0].price`. The empty path is the document itself.
public struct ContentPath: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// One step down.
    public enum Step: Hashable, Sendable {
        /// To the member with this name.
        case key(String)
        /// To the element with this index, from 0.
        case index(Int)
    }

    /// The steps from the top.
    public var steps: [Step]

    /// A path of these steps: the way to name a member with a dot or bracket in it.
    public init(steps: [Step]) { self.steps = steps }

    /// Reads `data.items[0].price`. Empty steps are left out; nil when a bracket holds no index.
    public init?(_ text: String) {
        steps = []
        for part in text.split(separator: ".") {
            for (position, piece) in part.split(separator: "[", omittingEmptySubsequences: false).enumerated() {
                if position == 0 {
                    if !piece.isEmpty { steps.append(.key(String(piece))) }
                } else {
                    guard piece.last == "]", let index = Int(piece.dropLast()), index >= 0 else { return nil }
                    steps.append(.index(index))
                }
            }
        }
    }

    /// Reads a path; text that is none is one member's name.
    public init(stringLiteral value: String) {
        self = ContentPath(value) ?? ContentPath(steps: [.key(value)])
    }

    /// The path as it is written.
    public var description: String {
        steps.reduce(into: "") { text, step in
            switch step {
            case .key(let key): text += text.isEmpty ? key : "." + key
            case .index(let index): text += "[\(index)]"
            }
        }
    }
}
