#if ARTICLE_SAMPLES
    import TrunklineHTTP

    struct User: Codable {}

    let session = SessionManager.default
#endif
