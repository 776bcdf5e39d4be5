/// One page of the list.
struct BookList: Codable, Equatable {
    /// How many books there are on all pages.
    let total: Int
    /// The books of this page.
    let books: [Book]
}
