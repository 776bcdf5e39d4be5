import Foundation
import Testing

/// The code files of a tutorial, `SECTION-STEP-NAME.swift`: each is its step's version of the file with that name.
struct TutorialCode: Sendable {
    /// Everything a reader of the tutorial has after one step.
    struct State: Sendable, CustomTestStringConvertible {
        let step: String
        /// The app's files.
        var app: [URL] = []
        /// The files of the app's test target, which import the app.
        var tests: [URL] = []

        var testDescription: String { step }
    }

    /// The states after each step, in order.
    static let states: [State] = {
        let directory = Article.repository.appendingPathComponent("Sources/Trunkline/Trunkline.docc/Resources")
        var newest: [String: URL] = [:]
        return Article.files(in: directory, pathExtension: "swift").map { file in
            let parts = file.lastPathComponent.split(separator: "-", maxSplits: 2).map(String.init)
            newest[parts.last ?? ""] = file
            var state = State(step: parts.dropLast().joined(separator: "-"))
            for file in newest.values.sorted(by: { $0.path < $1.path }) {
                if isTest(file) { state.tests.append(file) } else { state.app.append(file) }
            }
            return state
        }
    }()

    private static func isTest(_ file: URL) -> Bool {
        (try? String(contentsOf: file, encoding: .utf8))?.contains("@testable import BookShelf") ?? false
    }
}
