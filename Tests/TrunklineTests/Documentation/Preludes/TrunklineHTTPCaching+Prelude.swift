#if ARTICLE_SAMPLES
    import TrunklineHTTP

    struct Feed: Codable {}

    let session = SessionManager.default
    let url = "https://example.com/feed"
    let text = "emma"
    let name = "ada"
    @MainActor var endpoint = Endpoint.get(url)
    @MainActor var search = Endpoint.post(url)

    func show(_ feed: Feed, isOld: Bool) {}
#endif
