#if ARTICLE_SAMPLES
    import Foundation
    import TrunklineHTTP

    let session = SessionManager.default
    let documents = URL(fileURLWithPath: "/documents")
    let video = URL(fileURLWithPath: "/video.mp4")
    @MainActor let bar = Bar()

    @MainActor final class Bar {
        var value = 0.0
    }
#endif
