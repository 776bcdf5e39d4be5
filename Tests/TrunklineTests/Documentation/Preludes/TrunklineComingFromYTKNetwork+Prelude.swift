#if ARTICLE_SAMPLES
    struct Session: Codable {}

    let password = "secret"
#endif
