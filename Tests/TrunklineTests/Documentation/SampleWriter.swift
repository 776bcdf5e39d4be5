/// Puts samples into one file. Declarations stand at file level, as they would in an app. Statements stand in a function on
/// the main actor, one for each block, so that a block needs the prelude and not the one before. It may throw, and wait
/// where the block does.
struct SampleWriter {
    private let path: String
    private var declared: Set<String> = []
    private var count = 0
    private(set) var text = ""

    init(path: String) { self.path = path }

    mutating func add(_ sample: ArticleSample) {
        count += 1
        var statements: [ArticleSample.Piece] = []
        for piece in sample.pieces {
            // A type that is shown a second time, with more in it, stands within its block.
            if piece.isDeclaration, piece.declaredName.map({ declared.insert($0).inserted }) ?? true {
                add(piece)
            } else {
                statements.append(piece)
            }
        }
        guard !statements.isEmpty else { return }
        // Where nothing is awaited the function isn't async either, since that decides between overloads.
        let waits = statements.contains { $0.lines.contains { $0.contains("await ") } }
        text += "@MainActor func sample\(count)() \(waits ? "async " : "")throws {\n"
        for piece in statements { add(piece) }
        text += "}\n"
    }

    private mutating func add(_ piece: ArticleSample.Piece) {
        text += "#sourceLocation(file: \"\(path)\", line: \(piece.line))\n"
        text += piece.lines.joined(separator: "\n") + "\n"
        text += "#sourceLocation()\n"
    }
}
