// The README's quick start. What stands between the marks is compiled here, run by QuickStartTests, and must be in the
// README word for word.

// readme:begin
import Trunkline

// A backend, described once.
final class LibraryService: Service {
    override var environments: [ServiceEnvironment] {
        [ServiceEnvironment(.production, baseURL: "https://api.example.com", apiVersion: "v1")]
    }
}

// An endpoint, described once: GET https://api.example.com/v1/books/42
final class BookAPI: TypedAPIManager<Book, NoContent>, APIManagerProtocol {
    func methodName() -> String { "books/{id}" }
    func serviceIdentifier() -> ServiceIdentifier { "library" }
    override func shouldCache() -> Bool { true }
}

struct Book: Codable, Sendable { let title: String }

// A screen: supplies the parameters, hears how it went.
final class BookScreen: APIManagerParamSource, APIManagerCallbackDelegate {
    let api = BookAPI()
    var text = ""

    init() {
        api.paramSource = self
        api.delegate = self
    }

    func paramsForAPI(_ manager: BaseAPIManager) -> Parameters? { ["id": 42] }
    func managerCallAPISuccess(_ manager: BaseAPIManager) { text = api.value?.title ?? "" }
    func managerCallAPIFailed(_ manager: BaseAPIManager) { text = manager.errorMessage }
}

@MainActor func launch(_ screen: BookScreen) async throws {
    ServiceFactory.shared.register("library", LibraryService.self)
    screen.api.loadData()  // the delegate hears, or …
    print(try await screen.api.loadValue().title)  // … whoever waits
}
// readme:end

func useTheSession(_ book: Book) async throws {
    // readme:begin
    let session = SessionManager.default

    // await …
    let books = try await session.request(.get("https://example.com/books", parameters: ["page": 1]))
        .value(of: [Book].self)

    // … or a closure, on the queue you name, by default the main one
    try session.request(.post("https://example.com/books", json: book)).onResponse { result in
        print(result)
    }
    // readme:end
    print(books)
}
