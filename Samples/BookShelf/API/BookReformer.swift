import Foundation
import Trunkline

/// Makes a `BookList` of an answer. The endpoint stays free of models, and a screen that wants something else of the same
/// answer brings its own reformer.
struct BookReformer: APIDataReformer {
    func manager(_ manager: BaseAPIManager, reformJSON data: Data) -> BookList? {
        try? JSONDecoder().decode(BookList.self, from: data)
    }
}
