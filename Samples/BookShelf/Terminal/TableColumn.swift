/// One column of a `Table`.
struct TableColumn {
    enum Alignment { case left, right }

    let title: String
    let width: Int
    var alignment = Alignment.left

    /// The text in the column's width: filled with spaces, or cut with an ellipsis.
    func fit(_ text: String) -> String {
        let text = text.printable
        guard text.count <= width else { return text.prefix(max(0, width - 1)) + "…" }
        let padding = String(repeating: " ", count: width - text.count)
        return alignment == .left ? text + padding : padding + text
    }
}
