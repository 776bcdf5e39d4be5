import Trunkline

/// What the server says about a request it can't answer: `{"message": "The catalogue is being rebuilt."}`
struct ServerMessage: Codable, Equatable, UserMessageProviding {
    let message: String

    var userMessage: String? { message }
}
