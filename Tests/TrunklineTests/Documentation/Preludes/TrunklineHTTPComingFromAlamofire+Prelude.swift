#if ARTICLE_SAMPLES
    struct BookList: Codable {}
#endif
