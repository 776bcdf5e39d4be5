import Testing
import Trunkline
import TrunklineTesting

@testable import BookShelf

@MainActor @Suite struct BookListTests {
    let server: LoopbackServer
    let library = LibraryService()
    let books = HotBooksAPI()

    init() throws {
        server = try LibraryServer.start()
        library.developmentBaseURL = server.baseURL.absoluteString
        try library.selectEnvironment(.development)
        let library = library
        let factory = ServiceFactory()
        factory.register(.library) { library }
        books.serviceFactory = factory
    }

    @Test func `the list ends after its last page, with each book once`() async throws {
        library.logIn("ada", token: "t")
        try await books.load()
        while try await books.loadNext() != nil {}
        #expect(books.items.count == 30)
        #expect(server.requests.map { $0.query("page") } == ["1", "2"])
    }

    @Test func `after a log-in the list that was refused is loaded again`() async throws {
        await #expect(throws: APIError.self) { try await books.load() }
        #expect(books.errorType == .tokenError)

        library.logIn("ada", token: "t")
        for await state in books.states {
            if case .succeeded = state { break }
        }
        #expect(books.items.count == 20)
    }
}
