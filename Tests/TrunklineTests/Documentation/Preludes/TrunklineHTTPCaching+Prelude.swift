#if ARTICLE_SAMPLES
    import Foundation
    import TrunklineHTTP

    struct Feed: Codable {}

    let session = SessionManager.default
    let url = "https://example.com/feed"
    let text = "emma"
    let name = "ada"
    let folder = URL(fileURLWithPath: "/cache")
    let sealer: (any DataSealer)? = nil
    @MainActor var endpoint = Endpoint.get(url)
    @MainActor var search = Endpoint.post(url)

    func show(_ feed: Feed, isOld: Bool) {}
#endif
