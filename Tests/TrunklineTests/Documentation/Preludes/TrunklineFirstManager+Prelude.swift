#if ARTICLE_SAMPLES
    @MainActor let screen = BookScreen()
#endif
