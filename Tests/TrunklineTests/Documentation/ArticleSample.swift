/// One block of Swift in an article.
struct ArticleSample: Sendable {
    /// A run of lines that belong together: a declaration, or a statement.
    struct Piece: Sendable, Equatable {
        /// The number of its first line in the article, from 1.
        let line: Int
        var lines: [String]
        let isDeclaration: Bool

        /// The name it declares, where it declares a new one.
        var declaredName: String? {
            let head = lines.first { !$0.hasPrefix("//") && !$0.hasPrefix("@") || $0.contains(" func ") } ?? ""
            let words = head.split { !($0.isLetter || $0.isNumber || $0 == "_") }
            let kinds: Set<Substring> = ["struct", "class", "enum", "actor", "protocol", "typealias", "func"]
            guard let kind = words.firstIndex(where: kinds.contains), words.indices.contains(kind + 1) else {
                return nil
            }
            return String(words[kind + 1])
        }
    }

    let pieces: [Piece]

    /// The blocks fenced as `swift`. What is fenced as anything else is not Swift, or no whole code.
    static func all(in markdown: String) -> [ArticleSample] {
        var samples: [ArticleSample] = []
        var block: (line: Int, lines: [String], indentation: Int)?
        var isInOtherFence = false
        for (index, line) in markdown.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let indentation = line.prefix { $0 == " " }.count
            let isFence = line.dropFirst(indentation).hasPrefix("```")
            if var open = block {
                if isFence {
                    samples.append(ArticleSample(pieces: pieces(open.lines, from: open.line)))
                    block = nil
                } else {
                    open.lines.append(String(line.dropFirst(min(indentation, open.indentation))))
                    block = open
                }
            } else if isFence {
                let isSwift = !isInOtherFence && line.dropFirst(indentation + 3) == "swift"
                if isSwift { block = (index + 2, [], indentation) } else { isInOtherFence.toggle() }
            }
        }
        return samples
    }

    /// A piece begins at each line that is not indented and neither closes nor opens what stands before it. Comments and
    /// attributes belong to what follows them.
    private static func pieces(_ lines: [String], from first: Int) -> [Piece] {
        var pieces: [Piece] = []
        var lead: (line: Int, lines: [String])?
        for (offset, line) in lines.enumerated() {
            let starts = line.first.map { !" })]{.#".contains($0) && line != "\"\"\"" } ?? false
            if starts, line.hasPrefix("//") || isAttribute(line) {
                if lead == nil { lead = (first + offset, []) }
                lead?.lines.append(line)
            } else if starts {
                let (start, before) = lead ?? (first + offset, [])
                pieces.append(Piece(line: start, lines: before + [line], isDeclaration: isDeclaration(line)))
                lead = nil
            } else if lead != nil {
                lead?.lines.append(line)
            } else if let last = pieces.indices.last {
                pieces[last].lines.append(line)
            }
        }
        return pieces
    }

    private static func isAttribute(_ line: String) -> Bool {
        line.hasPrefix("@") && !line.contains(" ") || line.hasPrefix("@Test") && !line.contains(" func ")
    }

    private static func isDeclaration(_ line: String) -> Bool {
        let keywords: Set<Substring> = [
            "import", "public", "open", "package", "internal", "private", "fileprivate", "final", "nonisolated",
            "indirect",
            "struct", "class", "enum", "protocol", "extension", "actor", "func", "typealias",
        ]
        return line.hasPrefix("@") || line.split(separator: " ").first.map(keywords.contains) ?? false
    }
}
