import Foundation
import SampleTerminal
import Trunkline

/// A book's cover, downloaded into a file, with a progress bar.
@MainActor
final class CoverScreen {
    private let book: Book
    private let cover: CoverAPI
    private var bar = ProgressBar()
    private let end = Callback()

    /// - Parameter directory: where the file goes.
    init(of book: Book, directory: URL) {
        self.book = book
        cover = CoverAPI(directory: directory)
        cover.paramSource = self
        cover.delegate = self
        cover.progressDelegate = self
    }

    func show() async {
        print(Terminal.bold("The cover of \(book.title)"))
        await end.wait { cover.loadData() }
    }
}

extension CoverScreen: APIManagerParamSource {
    func paramsForAPI(_ manager: BaseAPIManager) -> Parameters? { ["id": book.id] }
}

extension CoverScreen: APIManagerProgressDelegate {
    func manager(_ manager: BaseAPIManager, didReceive received: Int64, of total: Int64?, requestID: RequestID) {
        bar.show(TransferProgress(completed: received, total: total).fraction ?? 0)
    }
}

extension CoverScreen: APIManagerCallbackDelegate {
    // The file is whole and in its place by now.
    func managerCallAPISuccess(_ manager: BaseAPIManager) {
        let size = cover.fileURL.flatMap { try? Data(contentsOf: $0).count } ?? 0
        print("\(cover.fileURL?.lastPathComponent ?? ""), \(size) bytes")
        end.arrived()
    }

    func managerCallAPIFailed(_ manager: BaseAPIManager) {
        print(cover.errorMessage)
        end.arrived()
    }
}
