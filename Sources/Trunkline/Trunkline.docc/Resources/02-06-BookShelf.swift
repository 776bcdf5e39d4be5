import Trunkline

@main
@MainActor
struct BookShelf {
    static func main() async throws {
        ServiceFactory.shared.register(.library, LibraryService.self)
        let library = try ServiceFactory.shared.service(for: .library, as: LibraryService.self)
        try library.selectEnvironment(.development)
        library.logIn("ada", token: "reader-2")

        do throws(APIError) {
            let book = try await BookOfTheDayAPI().loadValue()
            print("\(book.title), \(book.author)")
        } catch {
            print(error.message)
        }
    }
}
