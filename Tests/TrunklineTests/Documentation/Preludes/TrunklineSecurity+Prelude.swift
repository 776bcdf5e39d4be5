#if ARTICLE_SAMPLES
    import Foundation
    import Trunkline

    let currentKey = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
    let backupKey = currentKey
    let session = SessionManager.default
    let request = session.request("https://api.example.com")
    let directory = URL(fileURLWithPath: "/outbox")
    let box = Box()

    struct OAuth: Authenticator {
        typealias Credential = String
        func apply(_ token: String, to request: inout HTTPRequest) {}
        func refresh(
            _ token: String, after rejection: HTTPResponse?, using sender: AuthenticationSender
        ) async throws -> String { token }
    }

    struct Box {
        func encrypt(_ bytes: Data) throws -> Data { bytes }
        func decrypt(_ bytes: Data) throws -> Data { bytes }
    }
#endif
