import TrunklineTesting

/// Who may ask, and how the server knows.
extension BookServer {
    static let ada = Reader(name: "ada", token: "card-of-ada")
    static let ben = Reader(name: "ben", token: "card-of-ben")
    /// Ada with the token of last year.
    static let expiredAda = Reader(name: "ada", token: "expired-card-of-ada")

    /// The reader who sends the request; nil for one with no valid token.
    static func reader(of request: LoopbackRequest) -> Reader? {
        [ada, ben].first { request.headers["Authorization"] == "Bearer \($0.token)" }
    }

    static let tokenRefusal = LoopbackResponse.json(ServerMessage(message: "The token has expired."), status: 401)
}
