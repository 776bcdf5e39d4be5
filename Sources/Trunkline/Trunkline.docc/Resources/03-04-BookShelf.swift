import Trunkline

@main
@MainActor
struct BookShelf {
    static func main() async throws {
        ServiceFactory.shared.register(.library, LibraryService.self)
        let library = try ServiceFactory.shared.service(for: .library, as: LibraryService.self)
        try library.selectEnvironment(.development)
        library.logIn("ada", token: "reader-2")

        // A program without a screen reads the list as a sequence: each page is loaded when it is needed.
        for try await book in HotBooksAPI().allItems {
            print("\(book.title), \(book.author)")
        }
    }
}
