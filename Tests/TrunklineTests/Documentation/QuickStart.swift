// The README's quick start. What stands between the marks is compiled here, run by QuickStartTests, and must be in the
// README word for word.

// readme:begin
import Trunkline

// 1. A backend, described once.
class LibraryService: Service {
    override var environments: [ServiceEnvironment] {
        [
            ServiceEnvironment(.production, baseURL: "https://api.example.com", apiVersion: "v1"),
            ServiceEnvironment(.development, baseURL: "http://127.0.0.1:8080", apiVersion: "v1"),
        ]
    }
    override func extraHTTPHeaders(for methodName: String) -> HTTPHeaders { ["X-Token": token] }
    override func isTokenError(_ response: APIResponse) -> Bool { response.statusCode == 401 }
    var token = ""
}

extension ServiceIdentifier {
    static let library: ServiceIdentifier = "library"
}

// 2. An endpoint, described once.
final class BookAPI: BaseAPIManager, APIManagerProtocol {
    func methodName() -> String { "books/{id}" }
    func serviceIdentifier() -> ServiceIdentifier { .library }
    override func shouldCache() -> Bool { true }
}

struct Book: Codable, Sendable {
    let title: String
}

struct BookReformer: APIDataReformer {
    func manager(_ manager: BaseAPIManager, reformJSON data: Data) -> Book? {
        try? JSONDecoder().decode(Book.self, from: data)
    }
}

// 3. A screen: supplies the parameters, hears how it went.
final class BookScreen: APIManagerParamSource, APIManagerCallbackDelegate {
    let api = BookAPI()
    var text = ""

    init() {
        api.paramSource = self
        api.delegate = self
    }

    func paramsForAPI(_ manager: BaseAPIManager) -> Parameters? { ["id": 42] }

    func managerCallAPISuccess(_ manager: BaseAPIManager) {
        text = manager.fetchJSONData(BookReformer()).value?.title ?? "no title"
    }

    func managerCallAPIFailed(_ manager: BaseAPIManager) {
        text = manager.errorMessage
    }
}

// 4. At start-up: register the service. Then load, with the delegate or with `await`.
@MainActor func start() async throws {
    ServiceFactory.shared.register(.library, LibraryService.self)
    let screen = BookScreen()
    screen.api.loadData()

    let book = try await screen.api.load().http.decode(Book.self)
    print(book.title)
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
