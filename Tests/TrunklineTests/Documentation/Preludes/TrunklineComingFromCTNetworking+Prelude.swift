#if ARTICLE_SAMPLES
    let key = "key"

    func sign(_ text: String, _ key: String) -> String { text }
#endif
