import Trunkline

/// The books that are read most, `GET v1/books/hot`. Takes a `language` from the param source, an ISO 639-1 code;
/// without one the list has all languages. The page number and size are added by `PagingAPIManager`.
final class BooksHotListAPI: LibraryListAPI, APIManagerProtocol {
    func methodName() -> String { "books/hot" }

    override var itemsKeyPath: String? { "books" }

    // The list changes by the day, not by the minute.
    override func shouldCache() -> Bool { true }
    override func cacheLifetime(for service: Service) -> Duration { .seconds(60) }

    /// Adds what is the same in every call.
    override func reform(_ params: Parameters) -> Parameters? {
        params.merging(["rights": "public-domain"])
    }

    /// Judges before anything is sent; then the base's validator may speak.
    override func validate(_ params: Parameters) -> APIValidation {
        guard let language = params["language"]?.string else { return super.validate(params) }
        let isCode = language.count == 2 && language.allSatisfy { $0.isASCII && $0.isLowercase }
        return isCode ? super.validate(params) : .invalid("\"\(language)\" is not a language code, such as \"fr\".")
    }
}
