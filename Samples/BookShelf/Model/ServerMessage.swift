/// What the server says about a request it can't answer.
struct ServerMessage: Codable, Equatable {
    /// A sentence for the reader.
    let message: String
}
