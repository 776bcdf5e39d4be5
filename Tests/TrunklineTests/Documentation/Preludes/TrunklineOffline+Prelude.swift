#if ARTICLE_SAMPLES
    import Foundation
    import Trunkline

    extension ServiceIdentifier {
        static let library: ServiceIdentifier = "library"
    }

    final class BooksAPI: BaseAPIManager, APIManagerProtocol {
        func methodName() -> String { "books" }
        func serviceIdentifier() -> ServiceIdentifier { .library }
    }

    @MainActor let api = BooksAPI()
    @MainActor let banner = Banner()
    let marks = Marks()
    let support = URL(fileURLWithPath: "/support")
    let outbox = makeOutbox()

    @MainActor final class Banner {
        var isHidden = true
    }

    func makeOutbox() -> Outbox { fatalError("never run") }

    struct Marks {
        func clear(_ ticket: OutboxTicket) {}
        func warn(_ ticket: OutboxTicket, _ text: String) {}
    }
#endif
