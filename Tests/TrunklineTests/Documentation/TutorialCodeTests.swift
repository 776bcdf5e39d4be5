import Foundation
import TestSupport
import Testing

/// What a reader of the tutorial has typed compiles after every step, without a warning.
@Suite(.enabled(if: SampleCompiler.isAvailable)) struct TutorialCodeTests {
    @Test(arguments: TutorialCode.states) func `The code of a step compiles`(_ state: TutorialCode.State) async throws {
        let complaints = try await HeavyWork.run { () throws -> [String] in
            let compiler = try #require(try SampleCompiler(), "the modules are not where this test was built")
            defer { compiler.cleanUp() }
            let complaints = try compiler.complaints(about: state.app, module: state.tests.isEmpty ? nil : "BookShelf")
            guard complaints.isEmpty, !state.tests.isEmpty else { return complaints }
            return try compiler.complaints(about: state.tests)
        }
        for complaint in complaints { Issue.record(Comment(rawValue: complaint)) }
    }

    @Test func `The tutorial shows each of its files once, in their order`() throws {
        let tutorial = Article.repository.appendingPathComponent(
            "Sources/Trunkline/Trunkline.docc/Tutorials/BookShelf.tutorial")
        let shown = try String(contentsOf: tutorial, encoding: .utf8).split(separator: "\n")
            .compactMap { $0.split(separator: "file: \"").dropFirst().first?.prefix { $0 != "\"" } }
        let there = TutorialCode.states.map(\.step)
        #expect(there.count > 20)
        #expect(shown.map { $0.prefix(5) } == there.map { $0[...] })
    }
}
