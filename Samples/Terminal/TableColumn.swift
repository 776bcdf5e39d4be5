/// One column of a `Table`.
package struct TableColumn: Sendable {
    package enum Alignment: Sendable { case left, right }

    let title: String
    private let width: Int
    private let alignment: Alignment

    package init(title: String, width: Int, alignment: Alignment = .left) {
        self.title = title
        self.width = width
        self.alignment = alignment
    }

    /// The text in the column's width: filled with spaces, or cut with an ellipsis.
    func fit(_ text: String) -> String {
        let text = text.printable
        guard text.count <= width else { return text.prefix(max(0, width - 1)) + "…" }
        let padding = String(repeating: " ", count: width - text.count)
        return alignment == .left ? text + padding : padding + text
    }
}
