#if ARTICLE_SAMPLES
    import Trunkline

    struct Book: Codable, Identifiable {
        let id: Int
    }

    extension ServiceIdentifier {
        static let library: ServiceIdentifier = "library"
    }

    @MainActor let api = BookAPI()
    @MainActor let screen = Screen()

    @MainActor final class Screen: APIManagerCallbackDelegate {
        func managerCallAPISuccess(_ manager: BaseAPIManager) {}
        func managerCallAPIFailed(_ manager: BaseAPIManager) {}
        func show(_ what: Any) {}
    }
#endif
