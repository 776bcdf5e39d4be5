/// The books a search has found.
struct BookList: Codable, Equatable {
    let total: Int
    let books: [Book]
}
