/// One book, as the server describes it.
struct Book: Codable, Equatable, Identifiable {
    let id: Int
    let title: String
    let author: String
}
