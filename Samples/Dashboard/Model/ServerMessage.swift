import Trunkline

/// What the server says about a request it can't answer. A typed manager shows the sentence by itself.
struct ServerMessage: Codable, UserMessageProviding {
    /// A sentence for the reader.
    let message: String

    var userMessage: String? { message }
}
