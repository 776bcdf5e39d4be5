#if ARTICLE_SAMPLES
    import Trunkline

    extension ServiceIdentifier {
        static let library: ServiceIdentifier = "library"
    }

    struct Book: Codable {
        let title: String
    }

    final class BookAPI: BaseAPIManager, APIManagerProtocol {
        func methodName() -> String { "books/{id}" }
        func serviceIdentifier() -> ServiceIdentifier { .library }
        override func reform(_ params: Parameters) -> Parameters? { ["id": 42] }
    }

    @MainActor let api = BookAPI()
#endif
