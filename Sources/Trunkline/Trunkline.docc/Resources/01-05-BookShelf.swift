import Trunkline

@main
@MainActor
struct BookShelf {
    static func main() async throws {
        ServiceFactory.shared.register(.library, LibraryService.self)

        let book = try await BookOfTheDayAPI().loadValue()
        print("\(book.title), \(book.author)")
    }
}
