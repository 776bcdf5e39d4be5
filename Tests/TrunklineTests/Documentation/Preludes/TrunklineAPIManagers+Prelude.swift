#if ARTICLE_SAMPLES
    import Foundation
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
        var bar = 0.0
    }

    extension Screen: APIManagerProgressDelegate {}

    @MainActor let dialog = Dialog()
    @MainActor let coverAPI = CoverAPI()
    let covers = URL(fileURLWithPath: "/covers")

    @MainActor final class Dialog {
        func answer() async -> Bool { true }
    }
#endif
