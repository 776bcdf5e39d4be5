#if ARTICLE_SAMPLES
    import Foundation
    import Trunkline

    struct Book: Codable {}
    struct Order {}
    struct Payment {}

    let book = Book()
    let cart: [Book] = []
    let session = SessionManager.default
    let support = URL(fileURLWithPath: "/support")
    @MainActor let badge = Badge()
    let shop = Shop()

    final class UserAPI: TypedAPIManager<Book, NoContent> {}
    @MainActor let userAPI = UserAPI()
    @MainActor let feedAPI = UserAPI()
    @MainActor let badgesAPI = UserAPI()

    final class ConfirmAPI: BaseAPIManager {
        init(_ payment: Payment) {}
    }

    @MainActor final class Badge {
        func show(_ count: Int) {}
    }

    struct Shop {
        func createOrder(_ cart: [Book]) async throws -> Order { Order() }
        func pay(_ order: Order) async throws -> Payment { Payment() }
    }
#endif
