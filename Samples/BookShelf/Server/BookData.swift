/// What the embedded server serves: classics in the public domain, under their English titles, with the year of their
/// first publication and the language they were written in.
enum BookData {
    typealias Row = (title: String, author: String, year: Int)

    /// Every book, in the order of their numbers, from 1.
    static let catalogue: [Book] = [
        ("en", english), ("fr", french), ("de", german), ("ru", russian),
        ("es", spanish), ("pt", portuguese), ("it", italian), ("la", latin),
        ("no", norwegian), ("sv", swedish), ("da", danish), ("nl", dutch),
        ("pl", polish), ("cs", czech), ("hu", hungarian), ("fi", finnish),
        ("ja", japanese), ("zh", chinese), ("bn", bengali),
    ].flatMap { (language: String, rows: [Row]) in
        rows.map { (language: language, row: $0) }
    }.enumerated().map { index, book in
        Book(
            id: index + 1, title: book.row.title, author: book.row.author, year: book.row.year, language: book.language)
    }

    /// The hot list. Nobody measured how hot the books are: a step through the catalogue that shares no divisor with its
    /// length takes each book once, mixes the languages, and gives the same list on every run.
    static let hotList: [Book] = catalogue.indices.map { catalogue[$0 * 67 % catalogue.count] }
}
