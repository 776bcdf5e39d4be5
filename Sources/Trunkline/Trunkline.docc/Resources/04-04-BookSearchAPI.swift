import Trunkline

/// Books whose title or author has the words, `GET v1/books?words=…`.
final class BookSearchAPI: TypedAPIManager<BookList, ServerMessage>, APIManagerProtocol {
    func methodName() -> String { "books" }
    func serviceIdentifier() -> ServiceIdentifier { .library }

    // What was typed before is of no interest any more.
    override func reloadPolicy() -> ReloadPolicy { .cancelPrevious }

    // Nothing is sent for a single letter.
    override func validate(_ params: Parameters) -> APIValidation {
        guard let words = params["words"]?.string, words.count > 1 else {
            return .invalid("Please type two letters at least.")
        }
        return super.validate(params)
    }
}
