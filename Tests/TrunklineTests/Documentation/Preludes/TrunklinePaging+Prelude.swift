#if ARTICLE_SAMPLES
    import Foundation
    import Trunkline

    extension ServiceIdentifier {
        static let library: ServiceIdentifier = "library"
    }

    @MainActor let books = BooksAPI()
    let file = URL(fileURLWithPath: "/list.json")

    extension ListScreen {
        func show(_ books: [Book]) {}
        func show(message: String) {}
    }
#endif
