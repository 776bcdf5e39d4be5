#if ARTICLE_SAMPLES
    import Foundation
    import TrunklineHTTP

    struct Book: Codable {
        let title: String
    }

    struct Refusal: Decodable, Error {
        let reason: String
    }

    let session = SessionManager.default
    let book = Book(title: "Emma")
    let cover = URL(fileURLWithPath: "/cover.png")
#endif
