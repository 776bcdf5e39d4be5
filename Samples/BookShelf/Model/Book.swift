/// One book of the list, as the server describes it.
struct Book: Codable, Equatable, Identifiable {
    /// The book's number in the catalogue, the same for every reader.
    let id: Int
    let title: String
    let author: String
    /// The year of the first publication.
    let year: Int
    /// The language it was written in, as an ISO 639-1 code.
    let language: String
}
