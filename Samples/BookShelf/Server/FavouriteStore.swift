/// What the server knows of its readers' favourites. A change that comes twice, with the same key, is made once.
actor FavouriteStore {
    /// How many requests for a change came in.
    private(set) var received = 0
    /// How many changes were made.
    private(set) var applied = 0

    private var keys: Set<String> = []
    private var books: [String: [Book]] = [
        BookServer.ben.name: BookData.catalogue.filter { $0.title == "Don Quixote" }
    ]

    /// Makes the change unless its key has been here before.
    ///
    /// - Returns: the number of the request.
    func receive(_ change: FavouriteChange, of reader: Reader, key: String) -> Int {
        received += 1
        guard keys.insert(key).inserted, let book = BookData.catalogue.first(where: { $0.id == change.bookID })
        else { return received }
        applied += 1
        books[reader.name, default: []].removeAll { $0.id == book.id }
        if change.isFavourite { books[reader.name, default: []].append(book) }
        return received
    }

    /// The reader's favourites, in the order they were marked.
    func list(of reader: Reader) -> BookList {
        let books = books[reader.name, default: []]
        return BookList(total: books.count, books: books)
    }
}
