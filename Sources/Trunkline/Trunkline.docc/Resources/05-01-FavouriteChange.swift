/// What a reader does to the favourites.
struct FavouriteChange: Codable, Equatable {
    let bookID: Book.ID
    let isFavourite: Bool
}
