import SampleTerminal
import Trunkline

/// The same endpoints the `async` way: no delegate, errors are thrown.
@MainActor
struct AwaitedScreen {
    func show() async throws(APIError) {
        print(Terminal.bold("The same, awaited"))
        let books = BooksHotListAPI()
        _ = try await books.load()
        while try await books.loadNext() != nil {}
        print("books.load(), books.loadNext(): \(books.loadedItemCount) books on \(books.currentPage ?? 0) pages")

        do throws(APIError) {
            _ = try await BrokenShelfAPI().load()
        } catch {
            print("broken.load() throws: \(error.message)")
        }
        print()
    }
}
