#if ARTICLE_SAMPLES
    struct Post: Codable {
        let title: String
    }

    let token = "token"
#endif
