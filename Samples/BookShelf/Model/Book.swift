/// One book of the list, as the server describes it.
struct Book: Codable, Equatable {
    let title: String
    let author: String
    /// The year of the first publication.
    let year: Int
    /// The language it was written in, as an ISO 639-1 code.
    let language: String
}
