import Trunkline

extension ServiceIdentifier {
    /// The library's backend; see `LibraryService`.
    static let library: ServiceIdentifier = "library"
}
