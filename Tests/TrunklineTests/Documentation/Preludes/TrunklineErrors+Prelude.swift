#if ARTICLE_SAMPLES
    import Trunkline

    extension ServiceIdentifier {
        static let library: ServiceIdentifier = "library"
    }

    struct Order: Codable {
        let title: String
    }

    let session = SessionManager.default
    let log = Log()
    @MainActor let api = TypedAPIManager<Order, NoContent>()
    @MainActor let screen = Screen()

    struct Log {
        func write(_ text: String) {}
    }

    @MainActor final class Screen {
        func show(_ text: String) {}
        func showRetry(_ text: String) {}
        func showLogIn() {}
    }
#endif
