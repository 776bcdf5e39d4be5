import Trunkline

/// What the server says about a request it can't answer.
struct ServerMessage: Codable, Equatable {
    /// A sentence for the reader.
    let message: String
}

/// A typed manager shows the sentence by itself.
extension ServerMessage: UserMessageProviding {
    var userMessage: String? { message }
}
