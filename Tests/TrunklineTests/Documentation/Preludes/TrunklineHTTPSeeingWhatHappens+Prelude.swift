#if ARTICLE_SAMPLES
    import Foundation
    import TrunklineHTTP

    let request = HTTPRequest(url: URL(fileURLWithPath: "/"))
#endif
