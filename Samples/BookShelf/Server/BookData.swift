/// What the embedded server serves: classics in the public domain, under their English titles, with the year of their
/// first publication and the language they were written in.
enum BookData {
    typealias Row = (title: String, author: String, year: Int)

    /// The hot list. Nobody measured how hot the books are: a step through the shelf that shares no divisor with its
    /// length takes each book once, mixes the languages, and gives the same list on every run.
    static let hotList: [Book] = shelf.indices.map { shelf[$0 * 67 % shelf.count] }

    private static let shelf: [Book] = [
        ("en", english), ("fr", french), ("de", german), ("ru", russian),
        ("es", spanish), ("pt", portuguese), ("it", italian), ("la", latin),
        ("no", norwegian), ("sv", swedish), ("da", danish), ("nl", dutch),
        ("pl", polish), ("cs", czech), ("hu", hungarian), ("fi", finnish),
        ("ja", japanese), ("zh", chinese), ("bn", bengali),
    ].flatMap { (language: String, rows: [Row]) in
        rows.map { Book(title: $0.title, author: $0.author, year: $0.year, language: language) }
    }
}
