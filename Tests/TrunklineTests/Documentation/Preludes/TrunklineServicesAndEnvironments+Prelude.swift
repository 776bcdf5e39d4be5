#if ARTICLE_SAMPLES
    import Foundation
    import Trunkline

    let secret = "secret"
    @MainActor let service = ShopService()

    func hmac(_ text: String, _ body: Data?, key: String) -> String { text }
#endif
