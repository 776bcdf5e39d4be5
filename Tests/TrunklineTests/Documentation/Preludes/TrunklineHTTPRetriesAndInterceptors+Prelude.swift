#if ARTICLE_SAMPLES
    import TrunklineHTTP

    struct Maintenance: Error {}

    let session = SessionManager.default
    @MainActor var configuration = SessionConfiguration()
#endif
