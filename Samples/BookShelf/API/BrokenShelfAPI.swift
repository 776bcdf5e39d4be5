import Trunkline

/// An endpoint whose server always fails.
final class BrokenShelfAPI: LibraryBaseAPI, APIManagerProtocol {
    func methodName() -> String { "books/broken" }
}
