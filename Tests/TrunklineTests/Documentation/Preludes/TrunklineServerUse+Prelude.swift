#if ARTICLE_SAMPLES
    import Foundation
    import TrunklineHTTP

    struct Book: Codable {
        let title: String
    }

    let client = CatalogueClient()
    let session = SessionManager.default
    let writer = Writer()
    let pin = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

    struct Writer {
        func write(_ data: Data) async throws {}
    }
#endif
