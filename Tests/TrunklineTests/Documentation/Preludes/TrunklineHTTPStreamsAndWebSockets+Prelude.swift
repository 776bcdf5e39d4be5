#if ARTICLE_SAMPLES
    import TrunklineHTTP

    let session = SessionManager.default
    let url = "https://example.com/feed"
    @MainActor let chart = Chart()

    struct Reading: Codable {}
    struct Token: Codable {}

    @MainActor final class Chart {
        func add(_ reading: Reading) {}
    }

    func report(_ line: InvalidLine) {}
    func show(_ what: Any...) {}
#endif
