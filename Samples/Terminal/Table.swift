/// Lays text out in columns.
package struct Table: Sendable {
    private let columns: [TableColumn]

    package init(columns: [TableColumn]) { self.columns = columns }

    /// The titles of the columns.
    package var header: String { Terminal.dim(row(columns.map(\.title))) }

    /// One line of the table; what has no column is left out.
    package func row(_ cells: String...) -> String { row(cells) }

    private func row(_ cells: [String]) -> String {
        var line = zip(columns, cells).map { $0.fit($1) }.joined(separator: "  ")
        while line.last == " " { line.removeLast() }
        return line
    }
}
