#if ARTICLE_SAMPLES
    let book = Book(title: "Emma")
#endif
