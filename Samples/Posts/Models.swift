struct Post: Codable, Sendable {
    let id: Int
    let title: String
}

struct NewPost: Codable, Sendable {
    let title: String
}
