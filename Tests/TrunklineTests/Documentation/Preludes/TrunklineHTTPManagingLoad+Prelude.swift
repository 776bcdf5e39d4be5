#if ARTICLE_SAMPLES
    @MainActor let banner = Banner()

    @MainActor final class Banner {
        var isHidden = true
    }
#endif
